import { noAnswer, type ClusterError } from "../clusterError.ts";
import type { DeleteOptions, ObjectApi, ObjectReference } from "../ports/objects.ts";
import { withinAnswerDeadline } from "../withinTime.ts";
import type { PodName } from "../ports/reports.ts";

/** The outcome of a deletion. */
export type Deletion =
  /** The server accepted the deletion; a pod may still run during its grace period. */
  | { readonly kind: "deleted" }
  | { readonly kind: "alreadyGone" }
  /** Another object has the name now; nothing was deleted. */
  | { readonly kind: "replaced" }
  | { readonly kind: "failed"; readonly error: ClusterError };

/**
 * Deletes the pod with this uid and its dependents, with the pod's own grace period. A grace period
 * of 0 s could leave a process running on an unreachable node.
 */
export const deletePod = (
  objects: ObjectApi,
  pod: PodName,
  signal: AbortSignal,
): Promise<Deletion> => deleteObject(objects, ofPod(pod), signal);

/**
 * Like `deletePod`, with a grace period of 1 s (`kubectl delete --now`). The pod object stays until its node confirms
 * that the containers ended, so that no process keeps running unnoticed.
 */
export const deletePodNow = (
  objects: ObjectApi,
  pod: PodName,
  signal: AbortSignal,
): Promise<Deletion> => remove(objects, ofPod(pod), "Background", 1, signal);

/** Deletes the pod with this uid and orphans its dependents. */
export const deletePodAlone = (
  objects: ObjectApi,
  pod: PodName,
  signal: AbortSignal,
): Promise<Deletion> => remove(objects, ofPod(pod), "Orphan", undefined, signal);

/**
 * Deletes the pod with this uid without waiting for its node, where a process may keep running. For
 * pods that are stuck in Terminating.
 */
export const forceDeletePod = (
  objects: ObjectApi,
  pod: PodName,
  signal: AbortSignal,
): Promise<Deletion> => remove(objects, ofPod(pod), "Background", 0, signal);

/**
 * Runs a deletion with its own time limit, because the work before it may have been aborted. Returns a failure if there
 * is no response in time.
 */
export const deletedWithin = async (
  ms: number,
  remove: (limit: AbortSignal) => Promise<Deletion>,
): Promise<Deletion> =>
  (await withinAnswerDeadline(remove, new AbortController().signal, ms)) ?? {
    kind: "failed",
    error: noAnswer("the server did not respond in time"),
  };

/** An object with its uid; another object of the same name does not match. */
export interface KnownObject extends ObjectReference {
  readonly uid: string;
}

/** Deletes the object with this uid and its dependents. */
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
