import type { FindingOrigin } from "../plan/submissionFinding.ts";

export interface ResolvedEntry {
  readonly value: string;
  readonly origin: FindingOrigin;
}

/** The Spark properties of a submission with their origins, by key. */
export type ResolvedConf = ReadonlyMap<string, ResolvedEntry>;

export function valueOf(conf: ResolvedConf, key: string): string | undefined {
  return conf.get(key)?.value;
}

export interface NamedEntry extends ResolvedEntry {
  readonly key: string;
  /** The key without the prefix. */
  readonly name: string;
}

/** Returns the entries whose keys start with `prefix`, sorted by name because Spark's own order is undefined. */
export function entriesWithPrefix(conf: ResolvedConf, prefix: string): readonly NamedEntry[] {
  return [...conf]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, entry]) => ({ ...entry, key, name: key.slice(prefix.length) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Like `entriesWithPrefix`, as a record of values by name. */
export function recordWithPrefix(
  conf: ResolvedConf,
  prefix: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entriesWithPrefix(conf, prefix).map(({ name, value }) => [name, value]),
  );
}
