import type { Severity } from "../spark/conf/lint/finding.ts";

/** A finding as it is printed; lines and columns count from 1, columns in characters of UTF-16. */
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
