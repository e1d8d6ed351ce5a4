import { listed, msg, verbatim, type Message } from "../../base/message.ts";
import type { ContainerRecord, PodCondition, PodRecord } from "./podRecord.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** The cause of a pod's end: the exit of the decisive container, or a reason for the pod as a whole. */
export interface PodExit {
  /** Undefined if only the pod as a whole has a reason. */
  readonly container: string | undefined;
  /** True for the container in which Spark runs. */
  readonly isSpark: boolean;
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  /** The reason that Kubernetes gives, such as `OOMKilled`, `Evicted` or `Error`. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/**
 * Returns the root cause of the pod's end. Reasons of the pod itself (eviction, preemption) take precedence over those
 * of its containers. A failed Spark container takes precedence over failed init containers and sidecars. Undefined
 * while nothing has ended.
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

/** Returns the condition of a pod that is evicted, preempted or lost with its node. Undefined for other pods. */
export const disruptionOf = ({ conditions }: PodRecord): PodCondition | undefined =>
  conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");

/**
 * Returns the exit of Spark's container before its last restart. Undefined if it is unknown or the container never
 * restarted.
 */
export function lastExitOf({ name, lastState }: ContainerRecord): PodExit | undefined {
  if (lastState?.kind !== "terminated") return undefined;
  const { exitCode, signal, reason, message } = lastState;
  return { container: name, isSpark: true, exitCode, signal, reason, message };
}

/** Describes an end without "failed" or "succeeded": `out of memory, exit code 137`. Undefined if nothing is known. */
export function describeExit(exit: PodExit): Message | undefined {
  const code = exit.exitCode === undefined ? undefined : msg`exit code ${exit.exitCode}`;
  const words = listed([describeExitCause(exit), code]);
  if (exit.container === undefined || exit.isSpark) return words;
  return words === undefined
    ? msg`container "${exit.container}"`
    : msg`container "${exit.container}": ${words}`;
}

export const hasEnded = ({ state }: ContainerRecord): boolean => state?.kind === "terminated";

export const hasFailed = ({ state }: ContainerRecord): boolean =>
  state?.kind === "terminated" && state.exitCode !== 0;

// "Error" and "Completed" state no cause; the exit code may.
function describeExitCause({ reason, exitCode }: PodExit): Message | undefined {
  switch (reason) {
    case undefined:
    case "Error":
    case "Completed":
      return describeExitCode(exitCode);
    case "OOMKilled":
      return msg("out of memory");
    case "ContainerStatusUnknown":
      return msg("container status unknown");
    case "Evicted":
    case "EvictionByEvictionAPI":
      return msg("evicted");
    case "DeletionByTaintManager":
      return msg("evicted from a tainted node");
    case "DeletionByPodGC":
      return msg("its node was removed");
    case "NodeLost":
      return msg("node unreachable");
    case "NodeShutdown":
    case "Shutdown":
    case "Terminated":
      return msg("its node was shutting down");
    case "TerminationByKubelet":
      return msg("terminated by its node");
    case "Preempting":
      return msg("preempted by a critical pod");
    case "PreemptionByScheduler":
      return msg("preempted by a higher-priority pod");
    case "DeadlineExceeded":
      return msg("time limit reached");
    case "StartError":
    case "ContainerCannotRun":
      return msg("its program could not start");
    default:
      return verbatim(reason);
  }
}

function describeExitCode(exitCode: number | undefined): Message | undefined {
  switch (exitCode) {
    case 52:
      return msg("Java heap exhausted");
    case 137:
      return msg("killed");
    case 143:
      return msg("terminated");
    case undefined:
    default:
      return undefined;
  }
}

// Kubernetes writes an absent reason as an empty string.
const textOr = (text: string | undefined, other: string | undefined): string | undefined =>
  text === undefined || text === "" ? other : text;
