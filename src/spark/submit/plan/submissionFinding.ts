import type { Message } from "../../../base/message.ts";
import type { Span } from "../../../base/span.ts";

/** The origin of a value, or the place that causes a finding. */
export type FindingOrigin =
  /** The index of the option in the tokens of the command line, not the index of its value. */
  | { readonly kind: "argument"; readonly token: number }
  /** `span`: the position in the file's text, if known. */
  | { readonly kind: "file"; readonly path: string; readonly span?: Span }
  | { readonly kind: "environment"; readonly name: string }
  /** A member of a run profile by its JSON path. */
  | { readonly kind: "member"; readonly path: readonly string[] }
  | { readonly kind: "computed" };

export type SubmissionCode = `E-${number}` | `E-${number}${"a" | "b" | "c"}` | `W-${number}`;

/** A finding about a submission. An error prevents the submission. */
export interface SubmissionFinding {
  readonly code: SubmissionCode;
  readonly severity: "error" | "warning";
  readonly message: Message;
  /** The conf key that causes the problem. Undefined if no single key causes it. */
  readonly key: string | undefined;
  readonly origin: FindingOrigin | undefined;
  /** Replacements for the value, most likely first. */
  readonly suggestions?: readonly string[];
}

/** A computed value, with the findings from its computation. */
export interface Checked<T> {
  readonly value: T;
  readonly findings: readonly SubmissionFinding[];
}
