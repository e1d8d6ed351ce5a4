import type { ByteUnit, Comparison, Form, TimeUnit } from "../catalogue/catalogueFormat.ts";

/** An interval of numbers, in the unit of the entry. */
export interface Range {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly minExcluded: boolean;
  readonly maxExcluded: boolean;
  /** Values inside the interval that are refused. */
  readonly holes: readonly number[];
  /** If given, only multiples of it are taken. */
  readonly step: number | undefined;
}

/** The values that are taken, and how a value is compared with them. */
export interface Choices {
  readonly comparison: Comparison;
  readonly values: readonly string[];
}

/** The type of an entry's value. */
export type ValueType = {
  /** Whether blanks around the text are taken away before it is read; never so for plain texts. */
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
