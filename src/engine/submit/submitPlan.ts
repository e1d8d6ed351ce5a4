import { err, ok, type Result } from "../../base/result.ts";
import type { OwnerReference } from "../../spark/submit/plan/manifest.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { ClusterError } from "../clusterError.ts";
import type { SentFile } from "../../spark/submit/code/sentCode.ts";
import type { Clock } from "../ports/clock.ts";
import type { ObjectApi, ObjectReference, StoredObject } from "../ports/objects.ts";
import type { PodName } from "../ports/reports.ts";
import type { UploadError, UploadTarget } from "../ports/files.ts";
import { isAbort } from "../../base/isAbort.ts";
import type { SendFailure } from "./podWait.ts";
import { SubmittedObject, type WriteContext } from "./submittedObject.ts";
import { writtenObjectOf } from "./objectReference.ts";
import { undoSubmission, type Undone } from "./undoSubmission.ts";

export interface SubmitPorts {
  readonly objects: ObjectApi;
  readonly uploads: UploadTarget;
  readonly clock: Clock;
  /** Streams the plan's code into the driver pod. */
  readonly sendCode: (
    pod: PodName,
    files: readonly SentFile[],
    signal: AbortSignal,
  ) => Promise<Result<void, SendFailure>>;
}

export interface Submitted {
  readonly applicationId: string;
  /** `namespace:driver-pod`, the argument of `spark-submit --kill` and `--status`. */
  readonly submissionId: string;
  readonly driverPod: StoredObject;
  readonly created: readonly ObjectReference[];
  /** Objects that existed under a name the user chose; they are unchanged. */
  readonly kept: readonly ObjectReference[];
}

/** A failed submission. `remaining` lists the created objects that may still exist. */
export type SubmissionFailure =
  | { readonly kind: "upload"; readonly error: UploadError }
  | ({
      readonly kind: "write";
      /** The object that could not be written. */
      readonly object: ObjectReference;
      readonly error: ClusterError;
    } & Undone)
  | ({ readonly kind: "send"; readonly error: SendFailure } & Undone)
  | ({ readonly kind: "canceled" } & Undone);

/**
 * Carries out a plan. Uploads first, then writes in order, each owned object with a reference to the driver pod.
 * Finally streams code that no ConfigMap can hold, which takes until the pod's init container runs. If a step fails or
 * `signal` aborts, deletes the created objects in reverse order, within 30 s. The server deletes owned objects with the
 * pod. Uploaded files stay, as in Spark. An abort returns the failure `canceled` instead of throwing, because objects
 * may remain.
 */
export async function submitPlan(
  plan: SubmissionPlan,
  { objects, uploads, clock, sendCode }: SubmitPorts,
  signal: AbortSignal,
): Promise<Result<Submitted, SubmissionFailure>> {
  const { namespace, applicationId, prefix, driverPodName } = plan.identity;
  const ownPrefixes = [`${prefix}-`, `${applicationId}-`];
  const written = new SubmittedObjects({
    objects,
    clock,
    namespace,
    retry: plan.retry,
    ownPrefixes,
  });
  let pod: StoredObject | undefined;
  try {
    for (const upload of plan.uploads) {
      signal.throwIfAborted();
      const copied = await uploads.copy(upload, signal);
      if (!copied.ok) return err({ kind: "upload", error: copied.error });
    }
    for (const write of plan.writes) {
      signal.throwIfAborted();
      const needsOwner = write.role === "owned" || write.role === "ownedPreResource";
      const object = written.of(write);
      const result = await object.write(write, needsOwner ? ownerFrom(pod) : undefined, signal);
      if (!result.ok) {
        const { error } = result;
        return err({
          kind: "write",
          object: object.reference,
          error,
          ...(await undoSubmission(written.all)),
        });
      }
      if (write.role === "driverPod") pod = result.value;
    }
    if (pod !== undefined && plan.code?.delivery.kind === "stream") {
      const sent = await sendCode(pod, plan.code.files, signal);
      if (!sent.ok)
        return err({ kind: "send", error: sent.error, ...(await undoSubmission(written.all)) });
    }
  } catch (error) {
    const undone = await undoSubmission(written.all);
    if (!isAbort(error) && !signal.aborted) throw error;
    return err({ kind: "canceled", ...undone });
  }
  if (pod === undefined) throw new Error("the plan has no driver pod");
  return ok({
    applicationId,
    submissionId: `${namespace}:${driverPodName}`,
    driverPod: pod,
    created: written.in("created"),
    kept: written.in("kept"),
  });
}

/** The objects of a submission, in the order of their first writes. */
class SubmittedObjects {
  readonly #context: WriteContext;
  readonly #objects = new Map<string, SubmittedObject>();

  constructor(context: WriteContext) {
    this.#context = context;
  }

  get all(): readonly SubmittedObject[] {
    return [...this.#objects.values()];
  }

  of(write: SubmissionPlan["writes"][number]): SubmittedObject {
    const { kind, name } = writtenObjectOf(write, this.#context.namespace);
    const key = `${kind}/${name}`;
    const object = this.#objects.get(key) ?? new SubmittedObject(write, this.#context);
    this.#objects.set(key, object);
    return object;
  }

  in(state: SubmittedObject["state"]): readonly ObjectReference[] {
    return this.all.filter((object) => object.state === state).map(({ reference }) => reference);
  }
}

function ownerFrom(pod: StoredObject | undefined): OwnerReference {
  if (pod === undefined) throw new Error("an owned object comes before the driver pod");
  const { apiVersion, kind, name, uid } = pod;
  return { apiVersion, kind, name, uid, controller: true };
}
