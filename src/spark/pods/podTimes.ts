import { hasEndedPod, type SparkPod } from "./application.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/**
 * Returns the start and end times of Spark's container. If the container reports no start, returns the start of the
 * pod, unless the pod is pending.
 */
export function timesOf({ pod, state }: SparkPod): {
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
} {
  const container = sparkContainerOf(pod)?.state;
  const startedAt =
    container !== undefined && container.kind !== "waiting" ? container.startedAt : undefined;
  const hasEnded = hasEndedPod({ pod, state });
  return {
    // A pending pod has a start time as soon as the kubelet accepts it, even if the image cannot be pulled.
    startedAt: startedAt ?? (pod.phase === "Pending" ? undefined : pod.startTime),
    endedAt: hasEnded && container?.kind === "terminated" ? container.finishedAt : undefined,
  };
}

/** Converts a Kubernetes timestamp to epoch milliseconds. Undefined if it is missing or invalid. */
export function epochOf(time: string | undefined): number | undefined {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? undefined : at;
}

/** Returns the timestamp from which the age of an active pod counts: its start, or else its creation. */
export const ageStartOf = (pod: SparkPod): string =>
  timesOf(pod).startedAt ?? pod.pod.creationTimestamp;
