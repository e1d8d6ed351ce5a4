import type { Catalogue } from "../conf/catalogue/catalogue.ts";
import { hoverEntries, type Hover } from "../conf/lint/hoverConf.ts";
import type { SparkVersion } from "../conf/catalogue/sparkVersions.ts";
import { effectiveWords } from "./effectiveWords.ts";
import { withFiles } from "./namedFiles.ts";
import { readSurface, type Surface } from "./surfaces.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

interface HoverContext {
  readonly catalogue: Catalogue;
  /** The Spark version for documents that name no version. */
  readonly version: SparkVersion;
  /** The texts of the files that the document names, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Returns the hover for the setting at the offset. Undefined if no setting has a hover there. */
export function hoverSurface(
  text: string,
  surface: Surface,
  offset: number,
  { catalogue, version, files }: HoverContext,
): Hover | undefined {
  for (const document of withFiles(readSurface(text, surface), files)) {
    const own = versionOfDocument(document) ?? version;
    const hover = hoverEntries(document.entries, offset, catalogue, own);
    if (hover !== undefined) {
      const effective = effectiveWords(text, document, offset);
      return { ...hover, paragraphs: hover.paragraphs.toSpliced(1, 0, ...effective) };
    }
  }
  return undefined;
}
