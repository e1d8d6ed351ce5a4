import { requestedEndLabel } from "../labels.ts";

/** The ways in which a user can end a pod. */
const requestedEnds = ["killed", "decommissioned", "stopped"] as const;
export type RequestedEnd = (typeof requestedEnds)[number];

/** Returns the way in which a user of the extension ended the pod. Undefined if the pod has no such label. */
export const requestedEndOf = (
  labels: Readonly<Record<string, string>>,
): RequestedEnd | undefined => requestedEnds.find((end) => end === labels[requestedEndLabel]);

interface EndMark {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Returns the labels and annotations to set on an executor pod before it is ended: the requested end, and the entries
 * that Spark itself writes before it removes an executor (KubernetesClusterSchedulerBackend.labelDecommissioningExecs).
 * Spark 4.2 and later also write the deletion cost, which only Deployments read. `conf`: the driver's conf; undefined
 * if it cannot be read.
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
