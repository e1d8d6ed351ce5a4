import type { Severity } from "../spark/conf/lint/finding.ts";

/** A finding of the linter. Lines and columns start at 1; columns count UTF-16 code units. */
export interface Report {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
}
