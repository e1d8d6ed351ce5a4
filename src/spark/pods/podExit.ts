import type { ContainerRecord, PodRecord } from "./podRecord.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** Why a pod, or the container that counts in it, has ended. */
export interface PodExit {
  /** The container that ended; undefined when only the pod as a whole tells why. */
  readonly container: string | undefined;
  /** True for the container in which Spark runs. */
  readonly isSpark: boolean;
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  /** The word of Kubernetes: `OOMKilled`, `Evicted`, `Error` ... */
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/**
 * The root cause: what was done to the pod as a whole says more than how its processes then ended; among
 * these, Spark's container comes before init containers and sidecars, unless it ended well.
 * Undefined while nothing has ended.
 */
export function exitOf(pod: PodRecord): PodExit | undefined {
  const spark = sparkContainerOf(pod);
  const others = pod.containers.filter((container) => container !== spark);
  const ended = [spark, ...pod.initContainers, ...others].filter(
    (container) => container !== undefined,
  );
  const container = ended.find(hasFailed) ?? (spark && hasEnded(spark) ? spark : undefined);
  const end = container?.state?.kind === "terminated" ? container.state : undefined;
  const disruption = pod.conditions.find(
    ({ type, status }) => type === "DisruptionTarget" && status === "True",
  );
  if (!pod.reason && !disruption && !end) return undefined;
  return {
    container: container?.name,
    isSpark: container !== undefined && container === spark,
    exitCode: end?.exitCode,
    signal: end?.signal,
    reason: textOr(pod.reason, textOr(disruption?.reason, end?.reason)),
    message: textOr(pod.message, textOr(disruption?.message, end?.message)),
  };
}

/** How Spark's container ended before it was started again; undefined where it never was, or nobody knows. */
export function lastExitOf({ name, lastState }: ContainerRecord): PodExit | undefined {
  if (lastState?.kind !== "terminated") return undefined;
  const { exitCode, signal, reason, message } = lastState;
  return { container: name, isSpark: true, exitCode, signal, reason, message };
}

/** In words for people, without a verdict: `out of memory, exit code 137`. */
export function describeExit(exit: PodExit): string {
  const cause = causeOf(exit);
  const code = exit.exitCode === undefined ? [] : [`exit code ${exit.exitCode}`];
  const words = [...(cause === undefined ? [] : [cause]), ...code].join(", ");
  const where = exit.container === undefined || exit.isSpark ? "" : `container "${exit.container}"`;
  return [where, words].filter((part) => part !== "").join(": ");
}

export const hasEnded = ({ state }: ContainerRecord): boolean => state?.kind === "terminated";

export const hasFailed = ({ state }: ContainerRecord): boolean =>
  state?.kind === "terminated" && state.exitCode !== 0;

const causes: ReadonlyMap<string, string> = new Map([
  ["OOMKilled", "out of memory"],
  ["ContainerStatusUnknown", "its node lost track of it"],
  ["Evicted", "evicted"],
  ["EvictionByEvictionAPI", "evicted"],
  ["DeletionByTaintManager", "evicted from a tainted node"],
  ["DeletionByPodGC", "its node is gone"],
  ["NodeLost", "its node is lost"],
  ["NodeShutdown", "its node was shutting down"],
  ["Shutdown", "its node was shutting down"],
  ["Terminated", "its node was shutting down"],
  ["TerminationByKubelet", "ended by its node"],
  ["Preempting", "made room for a critical pod"],
  ["PreemptionByScheduler", "preempted by a pod of higher priority"],
  ["DeadlineExceeded", "time limit reached"],
  ["StartError", "its program could not be started"],
  ["ContainerCannotRun", "its program could not be started"],
]);

// What the container runtime says of any process that ended is no cause: the code tells more.
function causeOf({ reason, exitCode }: PodExit): string | undefined {
  if (reason !== undefined && reason !== "Error" && reason !== "Completed") {
    return causes.get(reason) ?? reason;
  }
  switch (exitCode) {
    case 52:
      return "Java heap exhausted";
    case 137:
      return "killed";
    case 143:
      return "asked to stop";
    case undefined:
    default:
      return undefined;
  }
}

// Kubernetes writes an empty string for no reason.
const textOr = (text: string | undefined, other: string | undefined): string | undefined =>
  text === undefined || text === "" ? other : text;
