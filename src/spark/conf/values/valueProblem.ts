import type { Range } from "./valueType.ts";

/** The reason why Spark rejects a value. */
export type ValueProblem =
  | { readonly code: "empty-value"; readonly wanted: Wanted }
  | { readonly code: "bad-boolean" }
  | { readonly code: "bad-number"; readonly wanted: NumberWanted; readonly why: NumberFault }
  | { readonly code: "bad-size"; readonly why: SizeFault; readonly unit: string }
  | { readonly code: "bad-time"; readonly why: TimeFault; readonly unit: string }
  | {
      readonly code: "bad-choice";
      readonly allowed: readonly string[];
      readonly near: string | undefined;
    }
  | { readonly code: "out-of-range"; readonly range: Range; readonly unit: string | undefined }
  | { readonly code: "bad-regex" }
  | { readonly code: "bad-form"; readonly form: FormFault };

export type NumberWanted = "int" | "long" | "double" | "decimal";
export type Wanted = NumberWanted | "boolean" | "time" | "size" | "choice" | "text";

/** `tooLarge`: the number exceeds the range of its Java type. */
type NumberFault = "syntax" | "tooLarge";

/** `binaryUnit`: a unit such as `Gi` that only later versions accept. */
export type SizeFault = "syntax" | "fraction" | "space" | "unit" | "binaryUnit" | "tooLarge";
export type TimeFault = "syntax" | "fraction" | "space" | "unit" | "tooLarge";

export type FormFault =
  | "idPattern"
  | "serialFilter"
  | "emptyList"
  | "podNamePrefix"
  | "storageLevel"
  | "trailingSlash"
  | "proxyWord"
  | "readOnly"
  | "tooLongPath"
  | "kafkaPrefix"
  | "decimalPlaces"
  | "className"
  | "hiveVersion"
  | "timeZone"
  | "sqlPath";
