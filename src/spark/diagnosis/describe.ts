import { executorInactiveLabel } from "../labels.ts";
import type { Application, SparkPod } from "../pods/application.ts";
import { describeApplicationState } from "../pods/describeApplication.ts";
import { describeState } from "../pods/describeState.ts";
import type { DisplayState } from "../pods/displayState.ts";
import { executorIdOf } from "../pods/executorId.ts";
import { isRehearsal } from "../pods/origin.ts";
import { firstOf, sliceOf } from "../pods/ordered.ts";
import { describeExit } from "../pods/podExit.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { DriverReport } from "./driverReport.ts";
import { executorFacts, type ExecutorFacts } from "./executorFacts.ts";
import { shortened } from "./rule.ts";

/** A pod in one line: what it is, and the one fact that matters: `pending · no node has 5.4 GiB free`. */
export function describePod(state: DisplayState, diagnosis: Diagnosis | undefined): string {
  if (diagnosis === undefined) return describeState(state);
  const deleting = "isDeleting" in state && state.isDeleting ? ", being deleted" : "";
  return `${wordOf(state)}${deleting} · ${diagnosis.fact}`;
}

function wordOf({ kind }: DisplayState): string {
  switch (kind) {
    case "running":
    case "terminating":
    case "succeeded":
    case "failed":
    case "unknown":
      return kind;
    case "deleted":
      return "deleted before it started";
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

export interface ApplicationRow {
  /** Its parts, in their order, to be joined: what it is, the fact that matters, how it stands with executors. */
  readonly parts: readonly string[];
  readonly fact: Diagnosis | undefined;
  readonly executors: ExecutorFacts;
}

/** An application in one line. `report`: the driver's own word, where it may be asked. */
export function describeRow(
  application: Application,
  report: DriverReport | undefined,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
  now: number,
): ApplicationRow {
  const { driver, state } = application;
  const fact = factOf(application, diagnose) ?? lossOf(application, report, diagnose);
  const executors = executorFacts(application, report, now);
  const isDrivers = driver !== undefined && driver.state.kind !== "running";
  const words = isDrivers ? describePod(driver.state, fact) : describeApplicationState(state);
  const acted = actedPod(application) ? rehearsal : "";
  // What a narrow tree cuts off must not be the cause.
  const parts = [acted, words, isDrivers ? "" : (fact?.fact ?? ""), executors.line];
  return { parts: parts.filter((part) => part !== ""), fact, executors };
}

/** Said of all that is acted, before anything else. */
export const rehearsal = "rehearsal";

/** Said of an executor that Spark is done with and was told not to delete. */
export const kept = "kept for debugging";

export const isKept = ({ labels }: PodRecord): boolean => labels[executorInactiveLabel] === "true";

const actedPod = ({ driver, past, live }: Application): boolean =>
  [driver ?? past.driver, firstOf(live)].some((one) => one !== undefined && isRehearsal(one.pod));

// Enough to see what many wait for; the newest wait for what the oldest do.
const sampleSize = 50;

/**
 * Why an application is not what it should be, for its own row: what is the matter with its driver, or else
 * what most of its executors wait for.
 */
function factOf(
  { driver, live }: Application,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
): Diagnosis | undefined {
  if (driver !== undefined && driver.state.kind !== "running") return diagnose(driver)[0];
  const votes = new Map<string, { readonly diagnosis: Diagnosis; count: number }>();
  let judged: SparkPod | undefined;
  let diagnosis: Diagnosis | undefined;
  // The newest first: it is of these that the cluster's notices are asked.
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
 * That executors have failed whose pods are gone, as Spark deletes them within a second, and why the last one did.
 * Of an application that is over its own end tells more, and without its driver they were bound to.
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
    what: `${name} failed last, and its pod is gone. ${cause.what}`.trim(),
    told: cause.told ?? reason,
  };
}

/** Where no diagnosis is known: the exit, or else the driver's word. */
function unexplained({ state }: SparkPod, reason: string | undefined): Diagnosis {
  const exit = state.kind === "failed" && state.exit ? describeExit(state.exit) : "";
  const fact = exit === "" ? shortened(reason ?? "") : exit;
  return { id: "D111", fact, what: "", change: "", keys: [], told: undefined };
}

/** Whether two pods tell the same of themselves, so that the verdict on one is that on the other. */
const isAlike = (a: SparkPod, b: SparkPod): boolean =>
  a.state.kind === b.state.kind &&
  a.pod.conditions === b.pod.conditions &&
  a.pod.containers === b.pod.containers &&
  a.pod.initContainers === b.pod.initContainers &&
  a.pod.nodeName === b.pod.nodeName &&
  a.pod.reason === b.pod.reason;

const isWaiting = ({ kind }: DisplayState): boolean => kind !== "running" && kind !== "terminating";
