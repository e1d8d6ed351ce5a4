import type { ClusterError } from "../clusterError.ts";
import type { ObjectReference } from "../ports/objects.ts";
import type { SubmittedObject } from "./submittedObject.ts";

export interface Undone {
  /** Objects that may still exist after the undo. */
  readonly remaining: readonly ObjectReference[];
  /** The error if an object could not be deleted, or if its existence is unknown. Undefined otherwise. */
  readonly undoError: ClusterError | undefined;
}

const undoDeadlineMs = 30_000;

/**
 * Deletes the created objects of a submission in reverse order of `written`, within 30 s. The server deletes owned
 * objects with the driver pod. Continues after a failure.
 */
export async function undoSubmission(written: readonly SubmittedObject[]): Promise<Undone> {
  const signal = AbortSignal.timeout(undoDeadlineMs);
  const failed = new Set<SubmittedObject>();
  let undoError: ClusterError | undefined;
  let isPodLeft = false;
  let doubt: ClusterError | undefined;
  for (const object of written) doubt ??= await object.confirm(signal);
  for (const object of written.toReversed()) {
    if (object.isOwned) continue;
    const error = await object.remove(signal);
    if (error === undefined) continue;
    undoError ??= error;
    failed.add(object);
    isPodLeft ||= object.reference.kind === "Pod";
  }
  const remains = (object: SubmittedObject): boolean =>
    failed.has(object) ||
    object.state === "uncertain" ||
    (object.isOwned && isPodLeft && object.state === "created");
  return {
    remaining: written.filter(remains).map(({ reference }) => reference),
    undoError: undoError ?? doubt,
  };
}
