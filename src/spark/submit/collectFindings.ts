import type { Checked, SubmissionFinding } from "./submissionFinding.ts";

export interface FindingCollector {
  /** All that was found so far. */
  readonly findings: SubmissionFinding[];
  /** Keeps what was found and gives the value. */
  readonly take: <T>(checked: Checked<T>) => T;
}

/** For a calculation of many parts, each of which may find something. */
export function collectFindings(): FindingCollector {
  const findings: SubmissionFinding[] = [];
  return {
    findings,
    take: ({ value, findings: found }) => {
      findings.push(...found);
      return value;
    },
  };
}
