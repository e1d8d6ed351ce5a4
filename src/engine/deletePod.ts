import type { ClusterError } from "./clusterError.ts";
import type { DeleteOptions, ObjectApi, ObjectReference, PodName } from "./ports.ts";

/** What came of a deletion. */
export type Deletion =
  /** The server has taken the order; a pod may still use its time to end. */
  | { readonly kind: "deleted" }
  | { readonly kind: "alreadyGone" }
  /** Another one has the name by now; nothing was deleted. */
  | { readonly kind: "replaced" }
  | { readonly kind: "failed"; readonly error: ClusterError };

/**
 * Deletes this very pod and what belongs to it. The pod's own grace period holds: zero would leave a
 * process behind on a node that does not answer, and a pod that ends by itself is replaced as fast.
 */
export const deletePod = (
  objects: ObjectApi,
  pod: PodName,
  signal: AbortSignal,
): Promise<Deletion> => deleteObject(objects, ofPod(pod), signal);

/** Deletes this very pod and leaves what belongs to it, which then belongs to nobody. */
export const deletePodAlone = (
  objects: ObjectApi,
  pod: PodName,
  signal: AbortSignal,
): Promise<Deletion> => remove(objects, ofPod(pod), "Orphan", undefined, signal);

/**
 * Forgets this very pod at once, whatever its node says: a process of it may run on there, unseen. For a pod
 * that has been asked to end and does not.
 */
export const forceDeletePod = (
  objects: ObjectApi,
  pod: PodName,
  signal: AbortSignal,
): Promise<Deletion> => remove(objects, ofPod(pod), "Background", 0, signal);

/** An object as it is known: another one of its name is not it. */
export interface KnownObject extends ObjectReference {
  readonly uid: string;
}

/** Deletes this very object and what belongs to it. */
export const deleteObject = (
  objects: ObjectApi,
  object: KnownObject,
  signal: AbortSignal,
): Promise<Deletion> => remove(objects, object, "Background", undefined, signal);

const ofPod = ({ namespace, name, uid }: PodName): KnownObject => ({
  ...{ apiVersion: "v1", kind: "Pod", namespace, name },
  uid,
});

async function remove(
  objects: ObjectApi,
  { apiVersion, kind, namespace, name, uid }: KnownObject,
  propagationPolicy: DeleteOptions["propagationPolicy"],
  gracePeriodSeconds: number | undefined,
  signal: AbortSignal,
): Promise<Deletion> {
  const result = await objects.delete(
    { apiVersion, kind, namespace, name },
    { uid, propagationPolicy, gracePeriodSeconds },
    signal,
  );
  if (result.ok) return { kind: "deleted" };
  if (result.error.kind === "notFound") return { kind: "alreadyGone" };
  if (result.error.kind === "conflict") return { kind: "replaced" };
  return { kind: "failed", error: result.error };
}
