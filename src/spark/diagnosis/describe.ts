import { dotted, inEnglish, listed, msg, sentences, type Message } from "../../base/message.ts";
import { executorInactiveLabel } from "../labels.ts";
import type { Application, SparkPod } from "../pods/application.ts";
import { describeApplicationState } from "../pods/describeApplication.ts";
import { deletionOf, describeState, describeStateKind } from "../pods/describeState.ts";
import type { DisplayState } from "../pods/displayState.ts";
import { executorIdOf } from "../pods/executorId.ts";
import { isSimulated } from "../pods/origin.ts";
import { firstOf, sliceOf } from "../pods/ordered.ts";
import { describeExit } from "../pods/podExit.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import { deletionRule } from "./containers.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { DriverReport } from "./driverReport.ts";
import { executorFacts, type ExecutorFacts } from "./executorFacts.ts";
import { shortened } from "./rule.ts";
import { noResourcesRule, starvingRules } from "./starving.ts";

/** Describes a pod in one line, with its state and its most important fact: `pending · no node has 5.4 GiB free`. */
export function describePod(state: DisplayState, diagnosis: Diagnosis | undefined): Message {
  if (diagnosis === undefined) return describeState(state);
  const kind = describeStateKind(state);
  const deletion = deletionOf(state);
  // Some facts begin with the state: "failed, exit code 1", "failed after 3 s, exit code 1".
  const fact = inEnglish(diagnosis.fact);
  const isNamed = [", ", " "].some((end) => fact.startsWith(inEnglish(kind) + end));
  return isNamed && deletion === undefined
    ? diagnosis.fact
    : dotted([listed([kind, deletion]), diagnosis.fact]);
}

interface ApplicationRowText {
  /** The text of the row: state, most important fact, and executors. */
  readonly row: Message;
  readonly isSimulated: boolean;
  /** Describes the driver if it is not running, and includes the fact. Otherwise describes the application. */
  readonly state: Message;
  readonly fact: Diagnosis | undefined;
  /** True if the fact explains why no executor is running. False while the driver pod exists and is not running. */
  readonly isStarved: boolean;
  /** The pod that the fact is about; it may be deleted. */
  readonly subject: SparkPod | undefined;
  readonly executors: ExecutorFacts;
}

/**
 * Describes an application in one line. `report`: undefined if the driver was not queried. `now`: epoch milliseconds.
 */
export function describeRow(
  application: Application,
  report: DriverReport | undefined,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
  now: number,
): ApplicationRowText {
  const { driver, state } = application;
  const waiting = factOf(application, report, diagnose) ?? starvationOf(application, diagnose);
  const found =
    waiting ??
    lossOf(application, report, diagnose) ??
    outsideDeletionOf(application, diagnose) ??
    starvationOf(application, diagnose, noResourcesRule);
  const fact = found?.diagnosis;
  const executors = executorFacts(application, report, now);
  const isDrivers = driver !== undefined && driver.state.kind !== "running";
  const words = isDrivers ? describePod(driver.state, fact) : describeApplicationState(state);
  const isSimulation = hasSimulatedPod(application);
  // A narrow tree cuts off the end, so the cause is near the beginning.
  const rest = [words, isDrivers ? undefined : fact?.fact, executors.line] as const;
  return {
    row: isSimulation ? dotted([simulatedText, ...rest]) : dotted(rest),
    isSimulated: isSimulation,
    state: words,
    fact,
    isStarved: isStarved(application, fact, waiting?.diagnosis),
    subject: found?.subject,
    executors,
  };
}

/** True if no executor runs, and the fact is the current reason: the executors are waiting, or the driver gets none. */
const isStarved = (
  { driver, counts }: Application,
  fact: Diagnosis | undefined,
  waiting: Diagnosis | undefined,
): boolean =>
  (driver === undefined || driver.state.kind === "running") &&
  counts.running === 0 &&
  fact !== undefined &&
  (fact === waiting || fact.id === noResourcesRule);

/** Marks the row of a simulated application. */
export const simulatedText = msg("simulated");

/** The text for an ended executor whose pod Spark keeps (`spark.kubernetes.executor.deleteOnTermination=false`). */
export const keptText = msg("kept for debugging");

export const isKept = ({ labels }: PodRecord): boolean => labels[executorInactiveLabel] === "true";

const hasSimulatedPod = ({ driver, past, live }: Application): boolean =>
  [driver ?? past.driver, firstOf(live)].some((one) => one !== undefined && isSimulated(one.pod));

// The number of executors that are examined to find the most frequent reason.
const sampleSize = 50;

interface Found {
  readonly diagnosis: Diagnosis;
  readonly subject: SparkPod;
}

/**
 * Returns the most frequent problem of the waiting executors if the driver is running or has no pod. Otherwise returns
 * the driver's problem. If failed executors ended the driver, also describes their failure.
 */
function factOf(
  application: Application,
  report: DriverReport | undefined,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
): Found | undefined {
  const { driver, live } = application;
  if (driver === undefined || driver.state.kind === "running") {
    return mostFrequent(live, isWaiting, diagnose);
  }
  const [own] = diagnose(driver);
  if (own === undefined) return undefined;
  const loss = isOfExecutors(own) ? failedExecutor(application, diagnose) : undefined;
  if (loss === undefined) return { diagnosis: own, subject: driver };
  return lossWords(application, loss.subject, loss.diagnosis, report, own.what);
}

/** True if the driver ended because executors failed or were lost. */
export const isOfExecutors = ({ id, logKind }: Diagnosis): boolean =>
  logKind === undefined
    ? id === "D17"
    : logKind === "executorFailures" || logKind === "executorLost";

/**
 * Returns a failed executor with the most frequent cause. If no existing pod has a diagnosis, returns the executor that
 * failed last, because Spark deletes most pods of failed executors. Undefined if that executor has no diagnosis either.
 */
function failedExecutor(
  { ended, past: { lastFailed } }: Application,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
): Found | undefined {
  const kept = mostFrequent(ended, hasFailed, diagnose);
  const [diagnosis] = kept === undefined && lastFailed !== undefined ? diagnose(lastFailed) : [];
  return kept ?? (lastFailed && diagnosis && { diagnosis, subject: lastFailed });
}

function mostFrequent(
  executors: Application["live"],
  isMeant: (state: DisplayState) => boolean,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
): Found | undefined {
  const votes = new Map<string, Found & { count: number }>();
  let judged: SparkPod | undefined;
  let diagnosis: Diagnosis | undefined;
  // Newest first, because events are read for the newest executors.
  const { size } = executors;
  for (const executor of sliceOf(executors, size - sampleSize, size).toReversed()) {
    if (!isMeant(executor.state)) continue;
    if (judged === undefined || !isAlike(judged, executor)) [diagnosis] = diagnose(executor);
    judged = executor;
    if (diagnosis === undefined) continue;
    const reason = inEnglish(diagnosis.fact);
    const vote = votes.get(reason) ?? { diagnosis, subject: executor, count: 0 };
    vote.count += 1;
    votes.set(reason, vote);
  }
  return [...votes.values()].sort((a, b) => b.count - a.count)[0];
}

/**
 * Returns the reason why a running driver gets no executors. With `id`, considers only that rule. Otherwise considers
 * all starvation rules except D93, which names no cause.
 */
function starvationOf(
  { driver }: Application,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
  id?: string,
): Found | undefined {
  if (driver?.state.kind !== "running") return undefined;
  const isWanted = (one: Diagnosis): boolean =>
    id === undefined
      ? one.id !== noResourcesRule && starvingRules.some((rule) => rule.id === one.id)
      : one.id === id;
  const diagnosis = diagnose(driver).find(isWanted);
  return diagnosis && { diagnosis, subject: driver };
}

/**
 * Returns the number of failed executors and the reason of the last failure. Includes deleted pods, because Spark
 * deletes failed executors within a second. Undefined if the driver pod is not running, because its own problem
 * explains more. Also undefined if the application is orphaned, because executors fail without their driver.
 */
function lossOf(
  application: Application,
  report: DriverReport | undefined,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
): Found | undefined {
  const { driver, state, ended, past } = application;
  const isOver = driver === undefined ? state.kind === "orphaned" : driver.state.kind !== "running";
  if (isOver) return undefined;
  const lastFailed = past.lastFailed ?? mostFrequent(ended, hasFailed, diagnose)?.subject;
  if (lastFailed === undefined) return undefined;
  const [cause] = diagnose(lastFailed);
  return lossWords(application, lastFailed, cause, report);
}

/**
 * Returns the most recently deleted executor with its diagnosis if neither Spark nor this extension deleted its pod.
 * Undefined otherwise, and if the driver is not running.
 */
function outsideDeletionOf(
  { driver, past: { lastDeleted } }: Application,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
): Found | undefined {
  if (driver?.state.kind !== "running" || lastDeleted === undefined) return undefined;
  const cause = diagnose(lastDeleted).find(({ id }) => id === deletionRule);
  if (cause === undefined) return undefined;
  const executorId = executorIdOf(lastDeleted.pod);
  const fact = msg`executor ${String(executorId)}: ${cause.fact}`;
  return { diagnosis: { ...cause, fact }, subject: lastDeleted };
}

/**
 * Builds an application's diagnosis from the failure of an executor: the number of failed executors and the cause.
 * `before`: a sentence about the driver, placed before the sentences about the executor.
 */
function lossWords(
  { past, counts }: Application,
  failed: SparkPod,
  cause: Diagnosis | undefined,
  report: DriverReport | undefined,
  before?: Message,
): Found {
  const executorId = executorIdOf(failed.pod);
  const reason = report?.removed.get(String(executorId));
  const count = past.failed + counts.failed;
  const head = count === 1 ? msg("1 executor failed") : msg`${count} executors failed`;
  const isDeleted = failed === past.lastFailed;
  const why = cause === undefined ? unexplained(failed, reason) : cause.fact;
  const diagnosis: Diagnosis = {
    id: "D111",
    change: undefined,
    keys: [],
    ...cause,
    fact: why === undefined ? head : msg`${head} · ${why}`,
    what: sentences([
      before ?? lastWords(failed, executorId, isDeleted),
      before !== undefined && isDeleted ? lastWords(failed, executorId, isDeleted) : undefined,
      cause?.what,
    ]),
    told: cause?.told ?? reason,
  };
  return { diagnosis, subject: failed };
}

function lastWords({ pod }: SparkPod, executorId: number | undefined, isDeleted: boolean): Message {
  if (!isDeleted) return msg`Pod ${pod.name} failed.`;
  return executorId === undefined
    ? msg`Pod ${pod.name} failed last. It was deleted.`
    : msg`Executor ${executorId} failed last. Its pod was deleted.`;
}

/**
 * Describes a failure without a diagnosis by its exit code, or else by the driver's reason. Undefined if both are
 * unknown.
 */
function unexplained({ state }: SparkPod, reason: string | undefined): Message | undefined {
  const exit = state.kind === "failed" && state.exit ? describeExit(state.exit) : undefined;
  return exit ?? (reason === undefined ? undefined : shortened(reason));
}

/** True if two pods have the same status. `mostFrequent` then assumes the same diagnosis for both. */
const isAlike = (a: SparkPod, b: SparkPod): boolean =>
  a.state.kind === b.state.kind &&
  a.pod.conditions === b.pod.conditions &&
  a.pod.containers === b.pod.containers &&
  a.pod.initContainers === b.pod.initContainers &&
  a.pod.nodeName === b.pod.nodeName &&
  a.pod.reason === b.pod.reason;

const hasFailed = ({ kind }: DisplayState): boolean => kind === "failed";

const isWaiting = ({ kind }: DisplayState): boolean => kind !== "running" && kind !== "terminating";
