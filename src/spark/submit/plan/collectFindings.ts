import type { Checked, SubmissionFinding } from "./submissionFinding.ts";

interface FindingCollector {
  /** The findings collected so far. */
  readonly findings: SubmissionFinding[];
  /** Adds the findings of a checked value to `findings` and returns the value. */
  readonly take: <T>(checked: Checked<T>) => T;
}

/** Returns a collector for the findings of several checked values. */
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
