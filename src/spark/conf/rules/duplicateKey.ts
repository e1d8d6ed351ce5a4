import type { Finding } from "../finding.ts";
import type { ConfEntry } from "../confDocument.ts";
import type { Rule } from "./rule.ts";

/**
 * Of a key that is set more than once, only the last setting counts. In a template only one of them may be
 * there in the end, so nothing is said of those.
 */
export const duplicateKey: Rule = (entries) => {
  if (entries.some(({ knowledge }) => knowledge.kind === "template")) return [];
  const last = new Map<string, ConfEntry>();
  for (const { entry } of entries) last.set(entry.key, entry);
  const findings: Finding[] = [];
  for (const { entry, knowledge } of entries) {
    const winner = last.get(entry.key);
    if (winner === undefined || winner === entry || knowledge.kind === "foreign") continue;
    const { key, keySpan } = entry;
    const isField = (entry.field ?? winner.field) !== undefined;
    const isOption = winner.option !== undefined && entry.option === undefined;
    const place = { span: keySpan, last: winner.keySpan };
    findings.push({ code: "duplicate-key", ...place, key, isField, isOption });
  }
  return findings;
};
