import type { Message } from "../../../base/message.ts";
import type { Span } from "../../../base/span.ts";

/** The source of a value or a finding, for showing it there. */
export type FindingOrigin =
  /** The index of the option's token on the command line, not of its value. */
  | { readonly kind: "argument"; readonly token: number }
  /** `span`: the position in the file's text, if known. */
  | { readonly kind: "file"; readonly path: string; readonly span?: Span }
  | { readonly kind: "environment"; readonly name: string }
  /** A member of a run profile by its JSON path. */
  | { readonly kind: "member"; readonly path: readonly string[] }
  | { readonly kind: "computed" };

export type SubmissionCode = `E-${number}` | `E-${number}${"a" | "b" | "c"}` | `W-${number}`;

/** A finding about a submission; an error prevents it. */
export interface SubmissionFinding {
  readonly code: SubmissionCode;
  readonly severity: "error" | "warning";
  readonly message: Message;
  /** The conf key with the problem, if any. */
  readonly key: string | undefined;
  readonly origin: FindingOrigin | undefined;
  /** Replacements for the value, most likely first. */
  readonly suggestions?: readonly string[];
}

/** A value with the findings of its computation. */
export interface Checked<T> {
  readonly value: T;
  readonly findings: readonly SubmissionFinding[];
}
