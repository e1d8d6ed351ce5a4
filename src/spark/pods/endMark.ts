import { requestedEndLabel } from "../labels.ts";

/** How a user ended a pod. */
const requestedEnds = ["killed", "decommissioned", "stopped"] as const;
export type RequestedEnd = (typeof requestedEnds)[number];

/** The end that a user of the extension requested; undefined if the pod has no such label. */
export const requestedEndOf = (
  labels: Readonly<Record<string, string>>,
): RequestedEnd | undefined => requestedEnds.find((end) => end === labels[requestedEndLabel]);

interface EndMark {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * The metadata to add to an executor's pod before it ends: the requested end, and what Spark itself writes
 * before it removes an executor (KubernetesClusterSchedulerBackend.labelDecommissioningExecs; the deletion
 * cost since 4.2, which only Deployments read). `conf`: the driver's; undefined if it cannot be read.
 */
export function endMarkOf(
  end: RequestedEnd,
  conf: ReadonlyMap<string, string> | undefined,
): EndMark {
  const label = conf?.get("spark.kubernetes.executor.decommissionLabel");
  const value = conf?.get("spark.kubernetes.executor.decommissionLabelValue") ?? "";
  const cost = conf?.get("spark.kubernetes.executor.podDeletionCost");
  const isDeployment = conf?.get("spark.kubernetes.allocation.pods.allocator") === "deployment";
  return {
    labels: { [requestedEndLabel]: end, ...(label && { [label]: value }) },
    annotations: cost && isDeployment ? { "controller.kubernetes.io/pod-deletion-cost": cost } : {},
  };
}
