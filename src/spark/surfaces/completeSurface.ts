import type { Catalogue } from "../conf/catalogue/catalogue.ts";
import {
  completeEntries,
  completeProperties,
  type CompletionProposal,
} from "../conf/lint/completeConf.ts";
import type { ConfDocument } from "../conf/parse/confDocument.ts";
import type { SparkVersion } from "../conf/catalogue/sparkVersions.ts";
import { readSurface, type Surface } from "./surfaces.ts";
import { versionOfDocument } from "./versionOfDocument.ts";

/** Returns the completions at an offset. `version`: the Spark version for documents that name no version. */
export function completeSurface(
  text: string,
  surface: Surface,
  offset: number,
  catalogue: Catalogue,
  version: SparkVersion,
): readonly CompletionProposal[] {
  if (surface === "properties") return completeProperties(text, offset, catalogue, version);
  const shape = begunKeys.get(surface);
  const begun = shape === undefined ? undefined : begunKey(text, offset, shape);
  const documents = [...readSurface(text, surface), ...(begun === undefined ? [] : [begun])];
  for (const document of documents) {
    const { entries } = document;
    const own = versionOfDocument(document) ?? version;
    const proposals = completeEntries(entries, offset, separators[surface], catalogue, own);
    if (proposals.length > 0) return proposals;
  }
  return [];
}

const separators: Readonly<Record<Exclude<Surface, "properties">, string>> = {
  manifest: ": ",
  command: "=",
  python: "",
  scala: "",
  java: "",
  profiles: "",
};

// These patterns match a key that cannot be parsed yet. YAML lacks the colon after the key. Programs may lack the
// closing quote and bracket; an editor inserts both, one or none of them.
const begunCall =
  /^([^"']*\b(?:config|set|setConf|setIfMissing)\(\s*["'])(spark[\w.-]*)["')\];,]*\s*$/;
const begunKeys: ReadonlyMap<Surface, RegExp> = new Map([
  ["manifest", /^(\s*["']?)(spark[\w.-]*)["']?\s*$/],
  ["profiles", /^(\s*")(spark[\w.-]*)\s*$/],
  ["python", begunCall],
  ["scala", begunCall],
  ["java", begunCall],
]);

function begunKey(text: string, offset: number, shape: RegExp): ConfDocument | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
  const match = shape.exec(line);
  if (match === null) return undefined;
  const [, before = "", key = ""] = match;
  const start = lineStart + before.length;
  const keySpan = { start, end: start + key.length };
  const valueSpan = { start: keySpan.end, end: keySpan.end };
  return { entries: [{ key, keySpan, value: "", valueSpan }], findings: [] };
}
