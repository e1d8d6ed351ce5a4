import type { Message } from "../../base/message.ts";
import type { Span } from "../../base/span.ts";

export type ManifestCode =
  /** The text is not valid YAML. */
  | "bad-yaml"
  | "unknown-api"
  | "old-version"
  | "unknown-field"
  | "missing-field"
  | "wrong-type"
  | "bad-choice"
  | "out-of-range"
  | "bad-name"
  /** The operator's webhook rejects the object. */
  | "refused"
  /** The operator ignores the field. */
  | "no-effect";

/** A finding about a manifest. */
export interface ManifestFinding {
  readonly code: ManifestCode;
  /** `error`: the API server or the operator's webhook rejects the object. */
  readonly severity: "error" | "warning";
  readonly message: Message;
  /** The path of the field: `spec.driver.cores`, `spec.volumes[0].name`. */
  readonly path: string;
  readonly span: Span;
  /** The replacement for the span, if exactly one is likely. */
  readonly fix: string | undefined;
}
