import type { PlannedWrite } from "../spark/submit/submissionPlan.ts";
import type { ClusterError } from "./clusterError.ts";
import type { ObjectReference } from "./ports.ts";
import { isAbort } from "./running.ts";
import {
  firstRetryDelayMs,
  isOwn,
  isRetriable,
  objectOf,
  type WriteContext,
} from "./submitWrite.ts";

/** An object that this submission has made, or may have. */
export interface Creation {
  readonly reference: ObjectReference;
  /** Only an object of this uid is to be deleted; undefined: whatever has the name, as it is ours alone. */
  readonly uid: string | undefined;
  /** The driver pod owns it, so the server deletes it with the pod. */
  readonly isOwned: boolean;
}

/**
 * Deletes in reverse order what is not deleted along with its owner, and says what is still there. Goes on
 * after a failure, so that as little as possible remains.
 */
export async function undo(
  creations: readonly Creation[],
  context: WriteContext,
  signal: AbortSignal,
): Promise<{ remaining: readonly ObjectReference[]; undoError: ClusterError | undefined }> {
  const failed: Creation[] = [];
  let undoError: ClusterError | undefined;
  for (const creation of creations.filter(({ isOwned }) => !isOwned).reverse()) {
    const error = await remove(creation, context, signal);
    if (error === undefined) continue;
    undoError ??= error;
    failed.push(creation);
  }
  const isPodLeft = failed.some(({ reference }) => reference.kind === "Pod");
  const remaining = creations.filter(
    (creation) => failed.includes(creation) || (creation.isOwned && isPodLeft),
  );
  return { remaining: remaining.map(({ reference }) => reference), undoError };
}

/** What is known of an object whose creation nobody confirmed: it is there, it is not, or no telling. */
export type Uncertain =
  | { readonly kind: "there"; readonly creation: Creation }
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly error: ClusterError };

/** Looks for the object of a write whose outcome nobody told us. Somebody else's counts as absent. */
export async function findUncertain(
  write: PlannedWrite,
  { objects, namespace }: WriteContext,
  signal: AbortSignal,
): Promise<Uncertain> {
  const reference = objectOf(write, namespace);
  try {
    const stored = await objects.read(reference, signal);
    if (!stored.ok) {
      return stored.error.kind === "notFound"
        ? { kind: "absent" }
        : { kind: "unknown", error: stored.error };
    }
    const { uid } = stored.value;
    return isOwn(stored.value, write.manifest, undefined)
      ? { kind: "there", creation: { reference, uid, isOwned: false } }
      : { kind: "absent" };
  } catch (error) {
    if (!isAbort(error) && !signal.aborted) throw error;
    return { kind: "unknown", error: tooLate };
  }
}

const tooLate: ClusterError = {
  kind: "unreachable",
  server: "",
  detail: "no answer within the time for undoing",
  requestSent: true,
};

// Undefined: it is gone. A uid keeps us from deleting an object that took the name in between.
async function remove(
  { reference, uid }: Creation,
  { objects, clock, retry }: WriteContext,
  signal: AbortSignal,
): Promise<ClusterError | undefined> {
  const options = {
    uid,
    propagationPolicy: "Background",
    gracePeriodSeconds: undefined,
  } as const;
  try {
    for (let attempt = 0; ; attempt++) {
      const result = await objects.delete(reference, options, signal);
      if (result.ok || result.error.kind === "notFound" || result.error.kind === "conflict") {
        return undefined;
      }
      if (attempt >= retry.maxRetries || !isRetriable(result.error)) return result.error;
      await clock.sleep(firstRetryDelayMs * 2 ** attempt, signal);
    }
  } catch (error) {
    if (!isAbort(error) && !signal.aborted) throw error;
    return tooLate;
  }
}
