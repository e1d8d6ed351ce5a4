import type { Fields } from "../../base/json.ts";
import type { AccessConnection } from "../../engine/ports/connection.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { DebugRequest } from "../../spark/submit/debug/debugRequest.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { RunOutcome } from "../profiles/runOutcome.ts";

/** A run of a debug session. */
export interface DebuggedRun {
  /** False: the submission is confirmed first. */
  readonly isRequested: boolean;
  /** Undefined: runs without a debugger. "cancelled": nothing is submitted. */
  readonly request: (definition: unknown) => Promise<DebugRequest | "cancelled" | undefined>;
  /** Cancels the submission while the driver pod does not exist. */
  readonly signal: AbortSignal;
  /** Called when the driver pod exists. The run keeps its connection until the promise resolves. */
  readonly started: (run: StartedRun) => Promise<void>;
  /** True if the session was stopped: then the run has not succeeded, even if the driver exits with 0. */
  readonly isStopped: () => boolean;
  /** Called once, even if nothing was submitted. */
  readonly ended: (end: DebuggedRunEnd) => void;
}

/** The run of a launch configuration. */
export interface LaunchedRun {
  readonly debugged: DebuggedRun;
  /** Members of a run profile that replace those of the definition. */
  readonly overrides: Fields;
}

export interface StartedRun {
  readonly name: string;
  readonly plan: SubmissionPlan;
  readonly driver: PodRecord;
  /** Disposed when the run ends. */
  readonly connection: AccessConnection;
}

export interface DebuggedRunEnd {
  readonly outcome: RunOutcome;
  readonly exitCode: number;
}
