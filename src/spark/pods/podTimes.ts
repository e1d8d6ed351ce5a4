import { hasEndedPod, type SparkPod } from "./application.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** The start and end of Spark's container; the start of the pod while the container has not reported one. */
export function timesOf({ pod, state }: SparkPod): {
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
} {
  const container = sparkContainerOf(pod)?.state;
  const startedAt =
    container !== undefined && container.kind !== "waiting" ? container.startedAt : undefined;
  const hasEnded = hasEndedPod({ pod, state });
  return {
    startedAt: startedAt ?? pod.startTime,
    endedAt: hasEnded && container?.kind === "terminated" ? container.finishedAt : undefined,
  };
}
