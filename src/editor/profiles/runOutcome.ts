import type { RunResult } from "../../spark/history/runRecord.ts";
import type { SparkPod } from "../../spark/pods/application.ts";
import { exitOf } from "../../spark/pods/podExit.ts";
import { epochOf, timesOf } from "../../spark/pods/podTimes.ts";

/** The result of a profile's run, as far as this window knows it. */
export type RunOutcome = RunResult;

// Shells report 128 + the signal number.
const sigint = 130;
const sigterm = 143;

/**
 * Returns the outcome of a task that reported only its exit code. A closed terminal gives no exit code. `follows`: true
 * if the task ends with its application.
 */
export function outcomeOfExitCode(exitCode: number | undefined, follows: boolean): RunOutcome {
  if (exitCode === 0) return follows ? "succeeded" : "submitted";
  if (exitCode === undefined || exitCode === sigint) return "detached";
  return exitCode === sigterm ? "stopped" : "failed";
}

export interface DriverExit {
  readonly exitCode: number;
  readonly outcome: "succeeded" | "failed" | "stopped";
}

/** The phase, exit code and reason of an ended driver pod. */
export interface EndedDriver {
  readonly phase: "succeeded" | "failed";
  readonly exitCode: number | undefined;
  readonly reason: string | undefined;
  /** The pod has a deletion timestamp, so a user or a controller stopped it. */
  readonly isDeleted: boolean;
}

/**
 * Returns the exit code and outcome of a driver. If `driver` is undefined, the pod was deleted before its end was seen,
 * and the outcome is "stopped". Stopping a driver sends SIGTERM (143), and SIGKILL (137) after the grace period. An
 * out-of-memory kill also gives 137.
 */
export function driverExitOf(driver: EndedDriver | undefined): DriverExit {
  if (driver === undefined) return { exitCode: sigterm, outcome: "stopped" };
  if (driver.phase === "succeeded") return { exitCode: 0, outcome: "succeeded" };
  const { exitCode, reason, isDeleted } = driver;
  const isStopped = reason !== "OOMKilled" && (isDeleted || exitCode === sigterm);
  return {
    exitCode: exitCode === undefined || exitCode === 0 ? 1 : exitCode,
    outcome: isStopped ? "stopped" : "failed",
  };
}

/** Returns a driver's exit code, outcome and end time in epoch milliseconds. The end time is `now` if it is unknown. */
export function endOfDriver(
  driver: SparkPod,
  now: number,
): DriverExit & { readonly endedAt: number } {
  const { pod, state } = driver;
  const endedAt = epochOf(timesOf(driver).endedAt) ?? now;
  if (state.kind !== "succeeded" && state.kind !== "failed" && state.kind !== "stopped") {
    return { ...driverExitOf(undefined), endedAt };
  }
  const phase = state.kind === "succeeded" ? "succeeded" : "failed";
  const { exitCode, reason } = exitOf(pod) ?? {};
  const isDeleted = state.kind === "stopped" || pod.deletionTimestamp !== undefined;
  return { ...driverExitOf({ phase, exitCode, reason, isDeleted }), endedAt };
}
