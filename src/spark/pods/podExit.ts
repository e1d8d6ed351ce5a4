import type { ContainerRecord, PodCondition, PodRecord } from "./podRecord.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** How a pod ended: the container that decides, or the pod as a whole. */
export interface PodExit {
  /** Undefined if only the pod as a whole has a reason. */
  readonly container: string | undefined;
  /** True for the container in which Spark runs. */
  readonly isSpark: boolean;
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  /** From Kubernetes: `OOMKilled`, `Evicted`, `Error` … */
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/**
 * The root cause. Reasons of the pod (eviction, preemption) precede those of its containers. A failed Spark
 * container precedes failed init containers and sidecars. Undefined while nothing has ended.
 */
export function exitOf(pod: PodRecord): PodExit | undefined {
  const spark = sparkContainerOf(pod);
  const others = pod.containers.filter((container) => container !== spark);
  const ended = [spark, ...pod.initContainers, ...others].filter(
    (container) => container !== undefined,
  );
  const container = ended.find(hasFailed) ?? (spark && hasEnded(spark) ? spark : undefined);
  const end = container?.state?.kind === "terminated" ? container.state : undefined;
  const disruption = disruptionOf(pod);
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

/** The condition of a pod that is evicted, preempted or lost with its node. */
export const disruptionOf = ({ conditions }: PodRecord): PodCondition | undefined =>
  conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");

/** How Spark's container ended before its last restart; undefined if unknown or never restarted. */
export function lastExitOf({ name, lastState }: ContainerRecord): PodExit | undefined {
  if (lastState?.kind !== "terminated") return undefined;
  const { exitCode, signal, reason, message } = lastState;
  return { container: name, isSpark: true, exitCode, signal, reason, message };
}

/** Without "failed" or "succeeded": `out of memory, exit code 137`. */
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
  ["ContainerStatusUnknown", "container status unknown"],
  ["Evicted", "evicted"],
  ["EvictionByEvictionAPI", "evicted"],
  ["DeletionByTaintManager", "evicted from a tainted node"],
  ["DeletionByPodGC", "its node was removed"],
  ["NodeLost", "node unreachable"],
  ["NodeShutdown", "its node was shutting down"],
  ["Shutdown", "its node was shutting down"],
  ["Terminated", "its node was shutting down"],
  ["TerminationByKubelet", "terminated by its node"],
  ["Preempting", "preempted by a critical pod"],
  ["PreemptionByScheduler", "preempted by a higher-priority pod"],
  ["DeadlineExceeded", "time limit reached"],
  ["StartError", "its program could not start"],
  ["ContainerCannotRun", "its program could not start"],
]);

// "Error" and "Completed" state no cause; the exit code may.
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
      return "terminated";
    case undefined:
    default:
      return undefined;
  }
}

// Kubernetes writes an absent reason as an empty string.
const textOr = (text: string | undefined, other: string | undefined): string | undefined =>
  text === undefined || text === "" ? other : text;
