import type { Conf } from "./conf.ts";
import type { Breach } from "./confRule.ts";

export const roles = ["driver", "executor"] as const;

/** A breach at a setting, if it is there. */
export function* at(
  conf: Conf,
  key: string,
  more: Omit<Breach, "at"> = {},
): Generator<Breach, void> {
  const entry = conf.entry(key);
  if (entry !== undefined) yield { at: entry, ...more };
}

/** Something is missing from all of a document: it is said where the document names its cluster. */
export const atMaster = (conf: Conf, without: readonly string[]): Iterable<Breach> =>
  at(conf, "spark.master", { without });

/** Each of those keys that is set, by its name: the keys have no effect as they are. */
export function* atKeys(conf: Conf, keys: readonly string[]): Generator<Breach, void> {
  for (const key of keys) yield* at(conf, key, { part: "key" });
}

/** All settings below a prefix of `groups.ts`, by their names. */
export function* atGroup(conf: Conf, prefix: string): Generator<Breach, void> {
  for (const entry of conf.group(prefix)) yield { at: entry, part: "key" };
}

export const isDnsLabel = (text: string): boolean =>
  text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);

export const isDnsName = (text: string): boolean =>
  text.length <= 253 &&
  text.split(".").every((label) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(label));
