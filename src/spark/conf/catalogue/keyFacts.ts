import type { ValueType } from "../values/valueType.ts";

/** The facts of one Spark version about a key. */
export interface KeyFacts {
  readonly key: string;
  /** Undefined: a name that Spark reads without declaring it, or no longer reads. */
  readonly entry: EntryFacts | undefined;
  readonly oldName: OldName | undefined;
  readonly deprecated: Deprecation | undefined;
  readonly removed: Removal | undefined;
}

export interface EntryFacts {
  readonly type: ValueType;
  /** As Spark writes it; undefined where there is none, or where it depends on the machine. */
  readonly default: string | undefined;
  /** The key whose value is taken when this one is not set. */
  readonly fallback: string | undefined;
  /** The key whose value is put before this one's. */
  readonly prepended: string | undefined;
  /** The version of Spark that brought it. */
  readonly since: string | undefined;
  readonly isPublic: boolean;
  readonly sql: "session" | "static" | undefined;
  /** From a connector that the distribution does not hold. */
  readonly isConnector: boolean;
}

/** A name under which the value of another key may be given. */
export interface OldName {
  readonly of: string;
  /** Some old names take a bare number where the new one takes a unit. */
  readonly takes: "int" | "double" | undefined;
}

export interface Deprecation {
  readonly since: string;
  readonly successor: string | undefined;
}

export interface Removal {
  readonly since: string;
  readonly successor: string | undefined;
  /** The one value that may still be set. */
  readonly onlyValue: string;
}
