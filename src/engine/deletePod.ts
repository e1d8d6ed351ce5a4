import type { PodRecord } from "../spark/pods/podRecord.ts";
import type { ClusterError } from "./clusterError.ts";
import type { ObjectApi } from "./ports.ts";

/** What came of a deletion. */
export type Deletion =
  /** The server has taken the order; the pod may still use its time to end. */
  | { readonly kind: "deleted" }
  | { readonly kind: "alreadyGone" }
  /** Another pod has the name by now; nothing was deleted. */
  | { readonly kind: "replaced" }
  | { readonly kind: "failed"; readonly error: ClusterError };

/**
 * Deletes this very pod and what belongs to it. The pod's own grace period holds: zero would leave a
 * process behind on a node that does not answer, and a pod that ends by itself is replaced as fast.
 */
export async function deletePod(
  objects: ObjectApi,
  { namespace, name, uid }: PodRecord,
  signal: AbortSignal,
): Promise<Deletion> {
  const result = await objects.delete(
    { apiVersion: "v1", kind: "Pod", namespace, name },
    { uid, propagationPolicy: "Background", gracePeriodSeconds: undefined },
    signal,
  );
  if (result.ok) return { kind: "deleted" };
  if (result.error.kind === "notFound") return { kind: "alreadyGone" };
  if (result.error.kind === "conflict") return { kind: "replaced" };
  return { kind: "failed", error: result.error };
}
