import type { PodRecord } from "./podRecord.ts";
import { sparkContainerOf } from "./sparkContainer.ts";

/** Whether the process of an executor has ended since; `now`: the same pod, later. */
export function hasLeft(before: PodRecord, now: PodRecord): boolean {
  const [old, own] = [sparkContainerOf(before), sparkContainerOf(now)];
  // In a pod of a set it starts again.
  return own?.state?.kind === "terminated" || (own?.restartCount ?? 0) > (old?.restartCount ?? 0);
}

/** Whether it was ended by force, as it took longer than the pod's time to end. */
export function wasCutShort(pod: PodRecord): boolean {
  const { state, lastState } = sparkContainerOf(pod) ?? {};
  const end = state?.kind === "terminated" ? state : lastState;
  return end?.kind === "terminated" && end.exitCode === killed;
}

// 128 and the number of SIGKILL.
const killed = 137;
