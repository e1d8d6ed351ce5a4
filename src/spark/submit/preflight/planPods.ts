import type { Manifest } from "../plan/manifest.ts";
import { previewExecutor } from "../preview/previewExecutor.ts";
import { executorCount } from "../preview/totals.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";

/** A planned pod. `user`: the role of the pod, as findings name it. */
export interface PlanPod {
  readonly user: "driver" | "executor";
  readonly manifest: Manifest;
  /** The initial number of pods with this manifest. */
  readonly count: number;
}

/** Returns the driver's pod, and one pod that represents all executors. */
export function planPods(plan: SubmissionPlan): readonly PlanPod[] {
  const driver = plan.writes.find(({ role }) => role === "driverPod")?.manifest;
  const executor = previewExecutor(plan, "1").value;
  return [
    ...(driver ? [{ user: "driver", manifest: driver, count: 1 } as const] : []),
    { user: "executor", manifest: executor, count: executorCount(plan).initial },
  ];
}
