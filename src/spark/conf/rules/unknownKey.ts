import type { Span } from "../../../base/span.ts";
import { spanInKey, type ConfEntry } from "../confDocument.ts";
import type { Finding } from "../finding.ts";
import type { KnownEntry, RuleContext } from "./rule.ts";

/** For more keys of a document than that, looking for near ones would take longer than it helps. */
const mostSearches = 100;

/**
 * Finds the keys of a stretch that mean nothing to Spark. One that lies where others keep theirs is left alone, unless
 * it is nearly one of Spark's.
 */
export interface UnknownFinder {
  /** Near keys were looked for in the stretches before for those keys, and more come to be added. */
  readonly find: (searched: Set<string>) => readonly Finding[];
  /** The keys that near ones are looked for. */
  readonly keysToSearch: (searched: Set<string>) => readonly string[];
}

export function unknownFinder(
  entries: readonly KnownEntry[],
  { keys, version }: RuleContext,
): UnknownFinder {
  const unknown = entries.flatMap(({ entry, knowledge }) =>
    knowledge.kind === "unknown" ? [entry] : [],
  );
  if (unknown.length === 0) return nothing;
  const keysToSearch = (searched: Set<string>): readonly string[] =>
    unknown.flatMap(({ key }) => {
      if (searched.size < mostSearches) searched.add(key);
      return searched.has(key) ? [key] : [];
    });
  const judge = (searched: ReadonlySet<string>): readonly Finding[] =>
    unknown.flatMap((entry): readonly Finding[] => {
      const { key } = entry;
      const near = searched.has(key) ? keys.nearest(key) : [];
      if (near.length === 0 && !keys.isOwnPlace(key)) return [];
      return [{ code: "unknown-key", span: wrongPart(entry, near), key, near, version }];
    });
  // Kept for where all of them are looked up, and where none is.
  const kept = new Map<number, readonly Finding[]>();
  const find = (searched: Set<string>): readonly Finding[] => {
    const { length } = keysToSearch(searched);
    if (length !== 0 && length !== unknown.length) return judge(searched);
    const found = kept.get(length) ?? judge(searched);
    kept.set(length, found);
    return found;
  };
  return { find, keysToSearch };
}

const nothing: UnknownFinder = { find: () => [], keysToSearch: () => [] };

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
