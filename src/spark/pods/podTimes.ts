import { hasEndedPod, type SparkPod } from "./application.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** The start and end of Spark's container. The start of the pod if it is not pending and the container reports none. */
export function timesOf({ pod, state }: SparkPod): {
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
} {
  const container = sparkContainerOf(pod)?.state;
  const startedAt =
    container !== undefined && container.kind !== "waiting" ? container.startedAt : undefined;
  const hasEnded = hasEndedPod({ pod, state });
  return {
    // A pending pod has a start time as soon as a node has it, also if its image cannot be pulled.
    startedAt: startedAt ?? (pod.phase === "Pending" ? undefined : pod.startTime),
    endedAt: hasEnded && container?.kind === "terminated" ? container.finishedAt : undefined,
  };
}

/** The time from which the age of a pod that has not ended counts. */
export const ageStartOf = (pod: SparkPod): string =>
  timesOf(pod).startedAt ?? pod.pod.creationTimestamp;
