import type { Origin } from "./submissionFinding.ts";

export interface ConfEntry {
  readonly value: string;
  readonly origin: Origin;
}

/** The `spark.*` settings of a submission, each with where it came from. */
export type ResolvedConf = ReadonlyMap<string, ConfEntry>;

export function valueOf(conf: ResolvedConf, key: string): string | undefined {
  return conf.get(key)?.value;
}

export interface NamedEntry extends ConfEntry {
  readonly key: string;
  /** What follows the prefix in the key. */
  readonly name: string;
}

/** The entries whose keys start with `prefix`, by name: an order of our own, as Spark has none. */
export function entriesWithPrefix(conf: ResolvedConf, prefix: string): readonly NamedEntry[] {
  return [...conf]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, entry]) => ({ ...entry, key, name: key.slice(prefix.length) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The same as a record of names and values. */
export function recordWithPrefix(
  conf: ResolvedConf,
  prefix: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entriesWithPrefix(conf, prefix).map(({ name, value }) => [name, value]),
  );
}
