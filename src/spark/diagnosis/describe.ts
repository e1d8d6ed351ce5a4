import { executorInactiveLabel } from "../labels.ts";
import type { Application, SparkPod } from "../pods/application.ts";
import { describeApplicationState } from "../pods/describeApplication.ts";
import { describeState } from "../pods/describeState.ts";
import type { DisplayState } from "../pods/displayState.ts";
import { executorIdOf } from "../pods/executorId.ts";
import { isSimulated } from "../pods/origin.ts";
import { firstOf, sliceOf } from "../pods/ordered.ts";
import { describeExit } from "../pods/podExit.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { DriverReport } from "./driverReport.ts";
import { executorFacts, type ExecutorFacts } from "./executorFacts.ts";
import { shortened } from "./rule.ts";

/** A pod in one line, its state and its most important fact: `pending · no node has 5.4 GiB free`. */
export function describePod(state: DisplayState, diagnosis: Diagnosis | undefined): string {
  if (diagnosis === undefined) return describeState(state);
  const deleting = "isDeleting" in state && state.isDeleting ? ", being deleted" : "";
  return `${wordOf(state)}${deleting} · ${diagnosis.fact}`;
}

function wordOf(state: DisplayState): string {
  const { kind } = state;
  switch (kind) {
    case "stopped":
      return state.by;
    case "running":
    case "terminating":
    case "succeeded":
    case "failed":
    case "unknown":
      return kind;
    case "deleted":
      return "stopped before starting";
    case "requested":
    case "unscheduled":
    case "scheduled":
    case "initializing":
    case "pulling":
    case "starting":
    case "blocked":
      return "pending";
  }
}

interface ApplicationRowText {
  /** State, most important fact, and executors, in this order. */
  readonly parts: readonly string[];
  readonly fact: Diagnosis | undefined;
  readonly executors: ExecutorFacts;
}

/** An application in one line. `report`: undefined if the driver was not asked. */
export function describeRow(
  application: Application,
  report: DriverReport | undefined,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
  now: number,
): ApplicationRowText {
  const { driver, state } = application;
  const fact = factOf(application, diagnose) ?? lossOf(application, report, diagnose);
  const executors = executorFacts(application, report, now);
  const isDrivers = driver !== undefined && driver.state.kind !== "running";
  const words = isDrivers ? describePod(driver.state, fact) : describeApplicationState(state);
  const simulation = hasSimulatedPod(application) ? simulated : "";
  // A narrow tree cuts off the end, so the cause stands near the beginning.
  const parts = [simulation, words, isDrivers ? "" : (fact?.fact ?? ""), executors.line];
  return { parts: parts.filter((part) => part !== ""), fact, executors };
}

/** The first part of the row of a simulated application. */
export const simulated = "simulated";

/** For an executor that has ended and whose pod Spark keeps (`spark.kubernetes.executor.deleteOnTermination=false`). */
export const kept = "kept for debugging";

export const isKept = ({ labels }: PodRecord): boolean => labels[executorInactiveLabel] === "true";

const hasSimulatedPod = ({ driver, past, live }: Application): boolean =>
  [driver ?? past.driver, firstOf(live)].some((one) => one !== undefined && isSimulated(one.pod));

// A sample suffices to find the most frequent reason.
const sampleSize = 50;

/** The application's most important fact: its driver's problem, or else the most frequent one of its executors. */
function factOf(
  { driver, live }: Application,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
): Diagnosis | undefined {
  if (driver !== undefined && driver.state.kind !== "running") return diagnose(driver)[0];
  const votes = new Map<string, { readonly diagnosis: Diagnosis; count: number }>();
  let judged: SparkPod | undefined;
  let diagnosis: Diagnosis | undefined;
  // Newest first: events are read for these.
  for (const executor of sliceOf(live, live.size - sampleSize, live.size).toReversed()) {
    if (!isWaiting(executor.state)) continue;
    if (judged === undefined || !isAlike(judged, executor)) [diagnosis] = diagnose(executor);
    judged = executor;
    if (diagnosis === undefined) continue;
    const vote = votes.get(diagnosis.fact) ?? { diagnosis, count: 0 };
    vote.count += 1;
    votes.set(diagnosis.fact, vote);
  }
  return [...votes.values()].sort((a, b) => b.count - a.count)[0]?.diagnosis;
}

/**
 * How many executors failed and why the last one did: Spark deletes their pods within a second. Undefined once
 * the application has ended, as its own end says more, and without a driver, as executors fail then.
 */
function lossOf(
  { driver, state, past, counts }: Application,
  report: DriverReport | undefined,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
): Diagnosis | undefined {
  const { lastFailed } = past;
  const isOver = driver === undefined ? state.kind === "orphaned" : driver.state.kind !== "running";
  if (lastFailed === undefined || isOver) return undefined;
  const executorId = executorIdOf(lastFailed.pod);
  const reason = report?.removed.get(String(executorId));
  const [cause = unexplained(lastFailed, reason)] = diagnose(lastFailed);
  const count = past.failed + counts.failed;
  const head = count === 1 ? "1 executor failed" : `${count} executors failed`;
  const name = executorId === undefined ? `Pod ${lastFailed.pod.name}` : `Executor ${executorId}`;
  return {
    ...cause,
    fact: cause.fact === "" ? head : `${head} · ${cause.fact}`,
    what: `${name} failed last; its pod was deleted. ${cause.what}`.trim(),
    told: cause.told ?? reason,
  };
}

/** Without a diagnosis: the exit code, or else the driver's reason. */
function unexplained({ state }: SparkPod, reason: string | undefined): Diagnosis {
  const exit = state.kind === "failed" && state.exit ? describeExit(state.exit) : "";
  const fact = exit === "" ? shortened(reason ?? "") : exit;
  return { id: "D111", fact, what: "", change: "", keys: [], told: undefined };
}

/** True if two pods have equal status, so that they have the same diagnosis. */
const isAlike = (a: SparkPod, b: SparkPod): boolean =>
  a.state.kind === b.state.kind &&
  a.pod.conditions === b.pod.conditions &&
  a.pod.containers === b.pod.containers &&
  a.pod.initContainers === b.pod.initContainers &&
  a.pod.nodeName === b.pod.nodeName &&
  a.pod.reason === b.pod.reason;

const isWaiting = ({ kind }: DisplayState): boolean => kind !== "running" && kind !== "terminating";
