import { moveSpan } from "../../../base/span.ts";
import type { Finding } from "../finding.ts";
import { winnersIn, type PlacedStretch } from "./numbered/settings.ts";

/** Of a key that is set more than once, only the last setting counts. */
export function duplicateKeys(
  stretches: readonly PlacedStretch[],
  repeated: ReadonlySet<string>,
): readonly Finding[] {
  const findings: Finding[] = [];
  const winners = winnersIn(stretches, repeated);
  if (winners.size === 0) return findings;
  stretches.forEach(({ at, known }, stretch) => {
    for (const entry of known.entries) {
      const winner = winners.get(entry.key);
      if (winner === undefined || (winner.entry === entry && winner.stretch === stretch)) continue;
      findings.push({
        code: "duplicate-key",
        span: moveSpan(entry.keySpan, at),
        last: moveSpan(winner.entry.keySpan, winner.at),
        key: entry.key,
        isField: (entry.field ?? winner.entry.field) !== undefined,
        isSame: winner.entry.value === entry.value,
        isOption: winner.entry.option !== undefined && entry.option === undefined,
      });
    }
  });
  return findings;
}
