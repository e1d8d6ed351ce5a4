import type { Catalogue } from "../conf/catalogue.ts";
import { hoverEntries, type Hover } from "../conf/hoverConf.ts";
import type { SparkVersion } from "../conf/sparkVersions.ts";
import { readSurface, type Surface } from "./surfaces.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

/** About the setting at a place of a document. `version` is that of a text which names none itself. */
export function hoverSurface(
  text: string,
  surface: Surface,
  offset: number,
  catalogue: Catalogue,
  version: SparkVersion,
): Hover | undefined {
  for (const document of readSurface(text, surface)) {
    const own = versionOfDocument(document) ?? version;
    const hover = hoverEntries(document.entries, offset, catalogue, own);
    if (hover !== undefined) return hover;
  }
  return undefined;
}
