import type { Memento } from "vscode";
import { appSelectorLabel } from "../../spark/labels.ts";
import { totalSize } from "../../spark/submit/code/sentCode.ts";
import type { ProfileName } from "../profiles/profileName.ts";
import { rememberRecent, type RecentRun } from "../profiles/recentRuns.ts";
import type { SubmissionRunOptions } from "./submissionRun.ts";

interface RecordOptions {
  readonly memory: Memento;
  readonly now: () => number;
  readonly error: (error: unknown) => void;
}

/** Stores a run among the recent runs of its profile: when it began, and when it ended. */
export function recordRun(
  profile: ProfileName,
  { memory, now, error }: RecordOptions,
): Pick<SubmissionRunOptions, "began" | "ended"> {
  let begun: RecentRun | undefined;
  const remember = (run: RecentRun): void => {
    rememberRecent(memory, profile, run).catch(error);
  };
  return {
    began: ({ driver, plan, conf }) => {
      const files = plan.code?.files;
      begun = {
        applicationId: driver.labels[appSelectorLabel] ?? plan.identity.applicationId,
        namespace: driver.namespace,
        driver: driver.uid,
        startedAt: now(),
        endedAt: undefined,
        // The window may close before the end.
        outcome: "detached",
        exitCode: undefined,
        sent: files && { files: files.length, bytes: totalSize(files) },
        conf,
      };
      remember(begun);
    },
    ended: (outcome, exitCode) => {
      if (begun === undefined) return;
      const hasEnded = outcome !== "detached" && outcome !== "submitted";
      remember({ ...begun, outcome, exitCode, endedAt: hasEnded ? now() : undefined });
    },
  };
}
