import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ConfEntry } from "../parse/confDocument.ts";
import type { Finding } from "../lint/finding.ts";
import type { Knowledge } from "../catalogue/knowledge.ts";
import type { KeyFinder } from "../nearest/keys.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";

/** An entry, and what its key is to Spark. */
export interface KnownEntry {
  readonly entry: ConfEntry;
  readonly knowledge: Knowledge;
  /** The prefix below which the key is looked at together with others. */
  readonly group: string | undefined;
  /** Whether its value is a secret, going by the key. */
  readonly isSecret: boolean;
}

export interface RuleContext {
  readonly catalogue: Catalogue;
  readonly version: SparkVersion;
  readonly keys: KeyFinder;
}

/** Looks at each setting for itself. */
export type EntryRule = (
  entries: readonly KnownEntry[],
  context: RuleContext,
) => readonly Finding[];
