import type { Catalogue } from "../conf/catalogue.ts";
import { hoverEntries, type Hover } from "../conf/hoverConf.ts";
import type { SparkVersion } from "../conf/sparkVersions.ts";
import { effectiveWords } from "./effectiveWords.ts";
import { withFiles } from "./namedFiles.ts";
import type { ReadSurface, Surface } from "./surfaces.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

/** About the setting at a place of a document. `version` is that of a text which names none itself. */
export function hoverSurface(
  read: ReadSurface,
  text: string,
  surface: Surface,
  offset: number,
  catalogue: Catalogue,
  version: SparkVersion,
  files: ReadonlyMap<string, string> = new Map(),
): Hover | undefined {
  for (const document of withFiles(read(text, surface), files)) {
    const own = versionOfDocument(document) ?? version;
    const hover = hoverEntries(document.entries, offset, catalogue, own);
    if (hover !== undefined) {
      const [name = "", ...others] = hover.paragraphs;
      const effective = effectiveWords(text, document, offset);
      return { ...hover, paragraphs: [name, ...effective, ...others] };
    }
  }
  return undefined;
}
