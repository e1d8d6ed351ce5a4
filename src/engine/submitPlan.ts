import { err, ok, type Result } from "../base/result.ts";
import type { OwnerReference } from "../spark/submit/manifest.ts";
import type { PlannedWrite, SubmissionPlan } from "../spark/submit/submissionPlan.ts";
import type { ClusterError } from "./clusterError.ts";
import type {
  Clock,
  ObjectApi,
  ObjectReference,
  StoredObject,
  UploadError,
  UploadTarget,
} from "./ports.ts";
import { isAbort } from "./running.ts";
import { findUncertain, undo, type Creation } from "./submitUndo.ts";
import { carryOut, objectOf, type WriteContext } from "./submitWrite.ts";

export interface SubmitPorts {
  readonly objects: ObjectApi;
  readonly uploads: UploadTarget;
  readonly clock: Clock;
}

export interface Submitted {
  readonly applicationId: string;
  /** `namespace:driver-pod`, by which spark-submit kills an application or asks for its status. */
  readonly submissionId: string;
  readonly driverPod: StoredObject;
  readonly created: readonly ObjectReference[];
  /** Objects that were there under a name the user chose, and were left as they are. */
  readonly kept: readonly ObjectReference[];
}

/** Nothing is left behind but what `remaining` names. */
export type SubmissionFailure =
  | { readonly kind: "upload"; readonly error: UploadError }
  | {
      readonly kind: "write";
      /** What could not be written. */
      readonly object: ObjectReference;
      readonly error: ClusterError;
      readonly remaining: readonly ObjectReference[];
      /** Why what remains could not be deleted. */
      readonly undoError: ClusterError | undefined;
    }
  | {
      readonly kind: "cancelled";
      readonly remaining: readonly ObjectReference[];
      readonly undoError: ClusterError | undefined;
    };

const undoDeadlineMs = 30_000;

/**
 * Carries out a plan: uploads, then writes in order, each owned object with a reference to the driver pod.
 * When a write fails or `signal` aborts, what was created is deleted again, in reverse order, under a
 * deadline of its own; an object that the pod owns goes with the pod. Uploaded files stay, as with Spark.
 * An abort gives the failure `cancelled` and is not thrown, since it may leave something to tell of.
 */
export async function submitPlan(
  plan: SubmissionPlan,
  { objects, uploads, clock }: SubmitPorts,
  signal: AbortSignal,
): Promise<Result<Submitted, SubmissionFailure>> {
  const { namespace } = plan.identity;
  const context: WriteContext = { objects, clock, namespace, retry: plan.retry };
  const creations: Creation[] = [];
  const kept: ObjectReference[] = [];
  let uncertain: PlannedWrite | undefined;
  let pod: StoredObject | undefined;
  try {
    for (const upload of plan.uploads) {
      signal.throwIfAborted();
      const copied = await uploads.copy(upload, signal);
      if (!copied.ok) return err({ kind: "upload", error: copied.error });
    }
    for (const write of plan.writes) {
      signal.throwIfAborted();
      const reference = objectOf(write, namespace);
      // Spark deletes a pre-resource even when its creation was refused; its name is nobody else's.
      if (write.role === "preResource") {
        creations.push({ reference, uid: undefined, isOwned: false });
      }
      uncertain = write;
      const result = await carryOut(write, ownerOf(write, pod), context, signal);
      if (!result.ok) {
        if (!result.error.isUncertain) uncertain = undefined;
        const undone = await undoAll(creations, uncertain, context);
        return err({ kind: "write", object: reference, error: result.error.error, ...undone });
      }
      uncertain = undefined;
      const { object, isCreated } = result.value;
      if (!isCreated) kept.push(reference);
      else if (write.role === "driverPod") pod = object;
      if (isCreated) note(creations, creationOf(reference, write, object, plan.identity));
    }
  } catch (error) {
    const undone = await undoAll(creations, uncertain, context);
    if (!isAbort(error) && !signal.aborted) throw error;
    return err({ kind: "cancelled", ...undone });
  }
  if (pod === undefined) throw new Error("the plan has no driver pod");
  return ok({
    applicationId: plan.identity.applicationId,
    submissionId: `${namespace}:${plan.identity.driverPodName}`,
    driverPod: pod,
    created: creations.map(({ reference }) => reference),
    kept,
  });
}

// Later knowledge replaces earlier: a pre-resource is first tried, then there, then owned by the pod.
function note(creations: Creation[], creation: Creation): void {
  const { kind, name } = creation.reference;
  const index = creations.findIndex(
    ({ reference: known }) => known.kind === kind && known.name === name,
  );
  if (index < 0) creations.push(creation);
  else creations[index] = creation;
}

// A name with random parts of ours can be nobody else's, so it is deleted as Spark does it: by name. One that
// the user chose may be another object's by the time of an undo.
function creationOf(
  reference: ObjectReference,
  { role }: PlannedWrite,
  object: StoredObject,
  { prefix, applicationId }: SubmissionPlan["identity"],
): Creation {
  const isOwned = role === "owned" || role === "ownedPreResource";
  const isOurName = [prefix, applicationId].some((start) => reference.name.startsWith(`${start}-`));
  return { reference, uid: isOurName ? undefined : object.uid, isOwned };
}

function ownerOf(write: PlannedWrite, pod: StoredObject | undefined): OwnerReference | undefined {
  if (write.role === "preResource" || write.role === "driverPod") return undefined;
  if (pod === undefined) throw new Error("an owned object comes before the driver pod");
  const { apiVersion, kind, name, uid } = pod;
  return { apiVersion, kind, name, uid, controller: true };
}

async function undoAll(
  creations: readonly Creation[],
  uncertain: PlannedWrite | undefined,
  context: WriteContext,
): Promise<{ remaining: readonly ObjectReference[]; undoError: ClusterError | undefined }> {
  const signal = AbortSignal.timeout(undoDeadlineMs);
  // Only the pod: an owned object goes with it, whether it was created or not.
  if (uncertain?.role !== "driverPod") return undo(creations, context, signal);
  const pod = await findUncertain(uncertain, context, signal);
  switch (pod.kind) {
    case "there":
      return undo([...creations, pod.creation], context, signal);
    case "absent":
      return undo(creations, context, signal);
    case "unknown": {
      const { remaining, undoError } = await undo(creations, context, signal);
      const reference = objectOf(uncertain, context.namespace);
      return { remaining: [...remaining, reference], undoError: undoError ?? pod.error };
    }
  }
}
