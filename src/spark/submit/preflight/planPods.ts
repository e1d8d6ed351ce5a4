import type { Manifest } from "../manifest.ts";
import { previewExecutor } from "../preview/previewExecutor.ts";
import { executorCount } from "../preview/totals.ts";
import type { SubmissionPlan } from "../submissionPlan.ts";

/** A pod that will be, with the word that findings use for it. */
export interface PlanPod {
  readonly user: "driver" | "executor";
  readonly manifest: Manifest;
  /** How many at the start. */
  readonly count: number;
}

/** The driver, and one executor for all of them. */
export function planPods(plan: SubmissionPlan): readonly PlanPod[] {
  const driver = plan.writes.find(({ role }) => role === "driverPod")?.manifest;
  const executor = previewExecutor(plan, "1").value;
  return [
    ...(driver ? [{ user: "driver", manifest: driver, count: 1 } as const] : []),
    { user: "executor", manifest: executor, count: executorCount(plan).initial },
  ];
}
