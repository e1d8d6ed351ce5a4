import type { Application, SparkPod } from "./application.ts";
import { sliceOf } from "./ordered.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** The executors with the highest ids, which an application started last. */
const newestExecutors = 8;

/** The failed driver, and the failed ones of the newest ended executors. */
export function failedPodsOf({ driver, ended }: Application): readonly SparkPod[] {
  const newest = sliceOf(ended, ended.size - newestExecutors, ended.size);
  return [...(driver ? [driver] : []), ...newest].filter(({ state }) => state.kind === "failed");
}

/** The end of Spark's container in epoch milliseconds of the cluster's clock; undefined if unknown. */
export function podEndedAt({ pod }: SparkPod): number | undefined {
  const state = sparkContainerOf(pod)?.state;
  const at = state?.kind === "terminated" ? Date.parse(state.finishedAt ?? "") : NaN;
  return Number.isNaN(at) ? undefined : at;
}
