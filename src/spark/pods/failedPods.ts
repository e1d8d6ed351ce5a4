import type { Application, SparkPod } from "./application.ts";
import { sliceOf } from "./ordered.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** The number of ended executors to check: those with the highest ids, which started last. */
const newestExecutors = 8;

/** Returns the driver if it failed, and the failed ones among the newest ended executors. */
export function failedPodsOf({ driver, ended }: Application): readonly SparkPod[] {
  const newest = sliceOf(ended, ended.size - newestExecutors, ended.size);
  return [...(driver ? [driver] : []), ...newest].filter(({ state }) => state.kind === "failed");
}

/** Returns the end of Spark's container in epoch milliseconds of the cluster's clock. Undefined if it is unknown. */
export function podEndedAt({ pod }: SparkPod): number | undefined {
  const state = sparkContainerOf(pod)?.state;
  const at = state?.kind === "terminated" ? Date.parse(state.finishedAt ?? "") : NaN;
  return Number.isNaN(at) ? undefined : at;
}
