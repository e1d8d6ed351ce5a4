import { type Message } from "../../base/message.ts";
import type { Range, Uri } from "vscode";
import type { FindingOrigin } from "../../spark/submit/plan/submissionFinding.ts";

/** A finding about a run profile, from a check, a run or the file itself. */
export interface ProfileFinding {
  readonly code: string;
  readonly severity: "error" | "warning" | "unknown";
  readonly message: Message;
  /** The conf key with the problem, if any. */
  readonly key: string | undefined;
  readonly origin: FindingOrigin | undefined;
  /** The manifest of a Role that grants the missing permissions. */
  readonly role?: string | undefined;
}

export interface FindingPlace {
  readonly uri: Uri;
  readonly range: Range;
}

/**
 * Shows a profile's findings in the Problems view, in place of earlier ones. Returns the place of each finding, in the
 * same order; undefined for a finding without a place.
 */
export type ReportFindings = (
  findings: readonly ProfileFinding[],
) => Promise<readonly (FindingPlace | undefined)[]>;

/** Reports nothing, for a submission that is not in tasks.json. */
export const reportNowhere: ReportFindings = (findings) =>
  Promise.resolve(findings.map(() => undefined));
