import type { Span } from "../../../base/span.ts";
import { spanInKey, type ConfEntry } from "../confDocument.ts";
import type { Finding } from "../finding.ts";
import type { Rule } from "./rule.ts";

/** For more than that, looking for near keys would take longer than it helps. */
const mostSearches = 100;

/**
 * Keys that mean nothing to Spark. One that lies where others keep theirs is left alone, unless it is nearly
 * one of Spark's.
 */
export const unknownKey: Rule = (entries, { keys, version }) => {
  const findings: Finding[] = [];
  const found = new Map<string, readonly string[]>();
  for (const { entry, knowledge } of entries) {
    if (knowledge.kind !== "unknown") continue;
    const { key } = entry;
    const near = found.get(key) ?? (found.size < mostSearches ? keys.nearest(key) : []);
    found.set(key, near);
    if (near.length === 0 && !keys.isOwnPlace(key)) continue;
    findings.push({ code: "unknown-key", span: wrongPart(entry, near), key, near, version });
  }
  return findings;
};

// Between the parts that the key has in common with what was meant, if that is clear.
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
