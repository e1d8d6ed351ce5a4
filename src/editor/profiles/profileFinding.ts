import type { Origin } from "../../spark/submit/submissionFinding.ts";

/** Anything that was found about a run profile, by whatever looked at it. */
export interface ProfileFinding {
  readonly code: string;
  readonly severity: "error" | "warning" | "unknown";
  readonly message: string;
  /** The conf key at fault, if one is. */
  readonly key: string | undefined;
  readonly origin: Origin | undefined;
}

/**
 * Shows what was found about a profile where it stands, in place of what was found before. Gives for each
 * finding its place as a terminal makes a link of it, or undefined where it has none.
 */
export type ReportFindings = (
  findings: readonly ProfileFinding[],
) => Promise<readonly (string | undefined)[]>;

/** For what stands in no tasks.json. */
export const reportNowhere: ReportFindings = (findings) =>
  Promise.resolve(findings.map(() => undefined));
