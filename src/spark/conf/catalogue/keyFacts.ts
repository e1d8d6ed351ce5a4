import type { ValueType } from "../values/valueType.ts";

/** Facts about a key in one Spark version. */
export interface KeyFacts {
  readonly key: string;
  /** The declared entry. Undefined for a name that Spark reads without declaring it, or no longer reads. */
  readonly entry: EntryFacts | undefined;
  readonly oldName: OldName | undefined;
  readonly deprecated: Deprecation | undefined;
  readonly removed: Removal | undefined;
}

export interface EntryFacts {
  readonly type: ValueType;
  /** The default as Spark prints it; undefined if there is none or it depends on the machine. */
  readonly default: string | undefined;
  /** The fallback key, read if this one is not set. */
  readonly fallback: string | undefined;
  /** The key whose value is prepended to this key's value. */
  readonly prepended: string | undefined;
  /** The Spark version that introduced the key. */
  readonly since: string | undefined;
  readonly isPublic: boolean;
  readonly sql: "session" | "static" | undefined;
  /** Declared by a connector outside the distribution. */
  readonly isConnector: boolean;
}

/** A deprecated or alternative name of another key. */
export interface OldName {
  readonly of: string;
  /**
   * The type of the number without a unit that this name takes. Undefined if it takes the same values as the new name.
   */
  readonly takes: "int" | "double" | undefined;
}

export interface Deprecation {
  readonly since: string;
  readonly successor: string | undefined;
}

export interface Removal {
  readonly since: string;
  readonly successor: string | undefined;
  /** The only value that Spark still accepts. */
  readonly onlyValue: string;
}
