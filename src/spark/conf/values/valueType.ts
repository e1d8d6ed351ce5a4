import type { ByteUnit, Comparison, Form, TimeUnit } from "../catalogue/catalogueFormat.ts";

/** An interval of numbers, in the unit of the entry. */
export interface Range {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly minExcluded: boolean;
  readonly maxExcluded: boolean;
  /** Invalid values inside the interval. */
  readonly holes: readonly number[];
  /** If given, only multiples of this number are valid. */
  readonly step: number | undefined;
}

/** The valid values and how they are compared. */
export interface Choices {
  readonly comparison: Comparison;
  readonly values: readonly string[];
}

/** The type of an entry's value. */
export type ValueType = {
  /**
   * True if Spark trims the text before it parses it. Always false for regular expressions and for strings outside
   * enums.
   */
  readonly trims: boolean;
  readonly range: Range | undefined;
  readonly choices: Choices | undefined;
  readonly form: Form | undefined;
} & (
  | { readonly kind: "boolean" | "int" | "long" | "double" | "decimal" | "string" | "regex" }
  | { readonly kind: "time"; readonly unit: TimeUnit }
  | { readonly kind: "bytes"; readonly unit: ByteUnit }
  | { readonly kind: "list"; readonly element: "string" | "long" }
);
