import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ConfEntry } from "../parse/confDocument.ts";
import type { Finding } from "../lint/finding.ts";
import type { Knowledge } from "../catalogue/knowledge.ts";
import type { KeyFinder } from "../nearest/keys.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";

/** An entry with the classification of its key. */
export interface KnownEntry {
  readonly entry: ConfEntry;
  readonly knowledge: Knowledge;
  /** The key's prefix in `groups.ts`. Undefined if the key belongs to no group. */
  readonly group: string | undefined;
  /** True if the key marks the value as a secret. */
  readonly isSecret: boolean;
}

export interface RuleContext {
  readonly catalogue: Catalogue;
  readonly version: SparkVersion;
  readonly keys: KeyFinder;
}

/** Examines each setting separately, and returns the findings. */
export type EntryRule = (
  entries: readonly KnownEntry[],
  context: RuleContext,
) => readonly Finding[];
