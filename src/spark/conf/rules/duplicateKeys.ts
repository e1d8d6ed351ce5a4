import type { Finding } from "../finding.ts";
import type { Settings } from "./numbered/settings.ts";
import type { KnownEntry } from "./rule.ts";

/** Of a key that is set more than once, only the last setting counts. */
export function duplicateKeys(
  entries: readonly KnownEntry[],
  { entry: winnerOf }: Settings,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { entry, knowledge } of entries) {
    const winner = winnerOf(entry.key);
    if (winner === undefined || winner === entry || knowledge.kind === "foreign") continue;
    const { key, keySpan } = entry;
    const isField = (entry.field ?? winner.field) !== undefined;
    const isOption = winner.option !== undefined && entry.option === undefined;
    const place = { span: keySpan, last: winner.keySpan };
    findings.push({ code: "duplicate-key", ...place, key, isField, isOption });
  }
  return findings;
}
