import type { Span } from "../../../base/span.ts";
import { spanInKey, type ConfEntry } from "../parse/confDocument.ts";
import type { Finding } from "../lint/finding.ts";
import type { EntryRule } from "./rule.ts";

/** The maximum number of keys per document for which similar keys are searched. */
const maxSearches = 100;

/**
 * Finds keys that Spark does not know. A key outside Spark's own namespaces is reported only if it is similar to one of
 * Spark's keys.
 */
export const unknownKey: EntryRule = (entries, { keys, version }) => {
  const searched = new Set<string>();
  return entries.flatMap(({ entry, knowledge }): readonly Finding[] => {
    if (knowledge.kind !== "unknown") return [];
    const { key } = entry;
    if (searched.size < maxSearches) searched.add(key);
    const near = searched.has(key) ? keys.nearest(key) : [];
    if (near.length === 0 && !keys.isOwnPlace(key)) return [];
    return [{ code: "unknown-key", span: wrongPart(entry, near), key, near, version }];
  });
};

// Returns the span of the components that differ from the suggestion; the whole key if there is not exactly one
// suggestion.
function wrongPart(entry: ConfEntry, near: readonly string[]): Span {
  const [meant] = near;
  if (meant === undefined || near.length > 1) return entry.keySpan;
  const wrong = entry.key.split(".");
  const right = meant.split(".");
  let from = 0;
  while (from < wrong.length - 1 && wrong[from] === right[from]) from++;
  let back = 0;
  while (back < wrong.length - 1 - from && wrong.at(-1 - back) === right.at(-1 - back)) back++;
  const start = wrong.slice(0, from).join(".").length + (from > 0 ? 1 : 0);
  const end = start + wrong.slice(from, wrong.length - back).join(".").length;
  return wrong[from] === right[from] ? entry.keySpan : spanInKey(entry, start, end);
}
