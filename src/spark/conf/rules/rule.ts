import type { Catalogue } from "../catalogue.ts";
import type { ConfEntry } from "../confDocument.ts";
import type { Finding } from "../finding.ts";
import type { Knowledge } from "../knowledge.ts";
import type { KeyFinder } from "../nearest/keys.ts";
import type { SparkVersion } from "../sparkVersions.ts";

/** An entry, and what its key is to Spark. */
export interface KnownEntry {
  readonly entry: ConfEntry;
  readonly knowledge: Knowledge;
}

export interface RuleContext {
  readonly catalogue: Catalogue;
  readonly version: SparkVersion;
  readonly keys: KeyFinder;
}

/** Looks at all settings of a document at once. */
export type Rule = (entries: readonly KnownEntry[], context: RuleContext) => readonly Finding[];
