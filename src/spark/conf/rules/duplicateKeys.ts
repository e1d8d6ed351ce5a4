import type { Finding } from "../lint/finding.ts";
import type { KnownEntry } from "./rule.ts";
import type { DocumentSettings } from "./numbered/settings.ts";

/** Finds settings that another setting of the same key overrides: a later one, or an option of the command. */
export function duplicateKeys(
  known: readonly KnownEntry[],
  { own, repeated }: DocumentSettings,
): readonly Finding[] {
  if (repeated.size === 0) return [];
  return known.flatMap(({ entry }): readonly Finding[] => {
    const winner = repeated.has(entry.key) ? own.get(entry.key) : undefined;
    if (winner === undefined || winner === entry) return [];
    return [
      {
        code: "duplicate-key",
        span: entry.keySpan,
        last: winner.keySpan,
        key: entry.key,
        isField: (entry.field ?? winner.field) !== undefined,
        isSame: winner.value === entry.value,
        isOption: winner.option !== undefined && entry.option === undefined,
      },
    ];
  });
}
