import type { Fields } from "../../base/json.ts";
import type { AccessConnection } from "../../engine/ports/connection.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { DebugRequest } from "../../spark/submit/debug/debugRequest.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { RunOutcome } from "../profiles/runOutcome.ts";

/** A run that a debug session or Run on Save controls. Its driver is followed even if the profile disables this. */
export interface ControlledRun {
  /**
   * True if the user requested the run, so that it needs no consent. Default: true unless the workspace's tasks or
   * launch configurations call commands of this extension.
   */
  readonly isRequested?: boolean;
  /**
   * Returns the debug request for a definition; undefined to run without a debugger. After "canceled", nothing is
   * submitted.
   */
  readonly request?: (definition: unknown) => Promise<DebugRequest | "canceled" | undefined>;
  /** Cancels the submission while the driver pod does not exist. */
  readonly signal: AbortSignal;
  /** For automatic runs: called with the reason if the run would need a prompt. Then nothing is submitted. */
  readonly refused?: (reason: string) => void;
  /** True if the run uses the terminal of an earlier run, without showing the panel. */
  readonly isRepeated?: boolean;
  /** Called when the driver pod exists. The run keeps its connection until the promise resolves. */
  readonly started: (run: StartedRun) => Promise<void>;
  /** True if `started` takes ownership of the connection, and disposes it. */
  readonly takesConnection?: boolean;
  /** True if the run was stopped on request: then it has not succeeded, even if the driver exits with 0. */
  readonly isStopped: () => boolean;
  /** Called once, even if nothing was submitted. */
  readonly ended: (end: ControlledRunEnd) => void;
}

/** A run of a debug session. */
export type DebuggedRun = ControlledRun & Required<Pick<ControlledRun, "request" | "isRequested">>;

/** A controlled run, and its changes of the run definition. */
export interface LaunchedRun {
  readonly controlled: ControlledRun;
  /** Members of a run profile that replace members of the definition. */
  readonly overrides?: Fields;
}

export interface StartedRun {
  readonly name: string;
  readonly plan: SubmissionPlan;
  readonly driver: PodRecord;
  /** Disposed when the run ends. */
  readonly connection: AccessConnection;
}

export interface ControlledRunEnd {
  readonly outcome: RunOutcome;
  readonly exitCode: number;
}
