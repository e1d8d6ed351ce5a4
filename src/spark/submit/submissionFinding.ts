import type { Span } from "../../base/span.ts";

/** Where a value or a problem comes from, so that it can be shown there. */
export type Origin =
  /** The index of the token on the command line that names it, not of its value. */
  | { readonly kind: "argument"; readonly token: number }
  /** `span`: where in its text, if that is known. */
  | { readonly kind: "file"; readonly path: string; readonly span?: Span }
  | { readonly kind: "environment"; readonly name: string }
  /** A member of a run profile, by the names that lead to it. */
  | { readonly kind: "member"; readonly path: readonly string[] }
  | { readonly kind: "computed" };

export type SubmissionCode = `E-${number}` | `E-${number}${"a" | "b" | "c"}` | `W-${number}`;

/** Something about a submission that its user should know; an error keeps it from being sent. */
export interface SubmissionFinding {
  readonly code: SubmissionCode;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** The conf key at fault, if one is. */
  readonly key: string | undefined;
  readonly origin: Origin | undefined;
  /** What could stand in its place, the likeliest first. */
  readonly suggestions?: readonly string[];
}

/** A value together with what was found while it was made. */
export interface Checked<T> {
  readonly value: T;
  readonly findings: readonly SubmissionFinding[];
}
