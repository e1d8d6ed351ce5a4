import type { RuleConf } from "./conf.ts";
import type { Violation } from "./confRule.ts";

export const podRoles = ["driver", "executor"] as const;

/** Yields a violation at a setting, if it is set. */
export function* at(
  conf: RuleConf,
  key: string,
  more: Omit<Violation, "at"> = {},
): Generator<Violation, void> {
  const entry = conf.entry(key);
  if (entry !== undefined) yield { at: entry, ...more };
}

/** Yields a violation about missing keys, at `spark.master` if it is set. */
export const atMaster = (conf: RuleConf, without: readonly string[]): Iterable<Violation> =>
  at(conf, "spark.master", { without });

/** Yields a violation at each of `keys` that is set. Marks the key, because it has no effect. */
export function* atKeys(conf: RuleConf, keys: readonly string[]): Generator<Violation, void> {
  for (const key of keys) yield* at(conf, key, { part: "key" });
}

/** Yields a violation at each setting below a prefix of `groups.ts`; marks the key. */
export function* atGroup(conf: RuleConf, prefix: string): Generator<Violation, void> {
  for (const entry of conf.group(prefix)) yield { at: entry, part: "key" };
}
