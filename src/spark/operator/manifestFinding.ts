import type { Span } from "../../base/span.ts";

export type ManifestCode =
  /** The text is no YAML. */
  | "bad-yaml"
  | "unknown-api"
  | "old-version"
  | "unknown-field"
  | "missing-field"
  | "wrong-type"
  | "bad-choice"
  | "out-of-range"
  | "bad-name"
  /** The operator's webhook turns the object away. */
  | "refused"
  /** The operator does not look at it. */
  | "no-effect";

/** Something about a manifest that its author should know. */
export interface ManifestFinding {
  readonly code: ManifestCode;
  /** `error`: the API server or the operator's webhook refuses the object. */
  readonly severity: "error" | "warning";
  readonly message: string;
  /** Where the field is: `spec.driver.cores`, `spec.volumes[0].name`. */
  readonly path: string;
  readonly span: Span;
  /** What to write in place of the span, where one thing is clearly meant. */
  readonly fix: string | undefined;
}
