import type { PodRecord } from "./podRecord.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** True if the executor's process has ended between the two versions of the pod. */
export function hasExecutorExited(before: PodRecord, now: PodRecord): boolean {
  const [old, own] = [sparkContainerOf(before), sparkContainerOf(now)];
  // StatefulSets and Deployments restart an executor in the same pod, so compare the restart counts.
  return own?.state?.kind === "terminated" || (own?.restartCount ?? 0) > (old?.restartCount ?? 0);
}

/** True if SIGKILL ended the process, as at the end of the grace period. */
export function wasKilledByTimeout(pod: PodRecord): boolean {
  const { state, lastState } = sparkContainerOf(pod) ?? {};
  const end = state?.kind === "terminated" ? state : lastState;
  return end?.kind === "terminated" && end.exitCode === killed;
}

// 128 + SIGKILL.
const killed = 137;
