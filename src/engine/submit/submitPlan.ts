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
import { ObjectLife, type LifeContext } from "./objectLife.ts";
import { writtenObjectOf } from "./objectReference.ts";

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

interface Undone {
  /** Objects that the undo could not delete. */
  readonly remaining: readonly ObjectReference[];
  /** Why they could not be deleted. */
  readonly undoError: ClusterError | undefined;
}

/** Only the objects in `remaining` are left behind. */
export type SubmissionFailure =
  | { readonly kind: "upload"; readonly error: UploadError }
  | ({
      readonly kind: "write";
      /** The object that could not be written. */
      readonly object: ObjectReference;
      readonly error: ClusterError;
    } & Undone)
  | ({ readonly kind: "send"; readonly error: SendFailure } & Undone)
  | ({ readonly kind: "cancelled" } & Undone);

const undoDeadlineMs = 30_000;

/**
 * Carries out a plan. Uploads first, then writes in order, each owned object with a reference to the driver pod. At
 * last streams code that no ConfigMap can hold, which takes until the pod's init container runs. If a step fails or
 * `signal` aborts, the created objects are deleted in reverse order, within a deadline of 30 s; the server deletes
 * owned objects with the pod. Uploaded files stay, as in Spark. An abort returns the failure `cancelled` instead of
 * throwing, because objects may remain.
 */
export async function submitPlan(
  plan: SubmissionPlan,
  { objects, uploads, clock, sendCode }: SubmitPorts,
  signal: AbortSignal,
): Promise<Result<Submitted, SubmissionFailure>> {
  const { namespace, applicationId, prefix, driverPodName } = plan.identity;
  const ownPrefixes = [`${prefix}-`, `${applicationId}-`];
  const lives = new ObjectLives({ objects, clock, namespace, retry: plan.retry, ownPrefixes });
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
      const life = lives.of(write);
      const result = await life.write(write, needsOwner ? ownerFrom(pod) : undefined, signal);
      if (!result.ok) {
        const { error } = result;
        return err({ kind: "write", object: life.reference, error, ...(await lives.undo()) });
      }
      if (write.role === "driverPod") pod = result.value;
    }
    if (pod !== undefined && plan.code?.delivery.kind === "stream") {
      const sent = await sendCode(pod, plan.code.files, signal);
      if (!sent.ok) return err({ kind: "send", error: sent.error, ...(await lives.undo()) });
    }
  } catch (error) {
    const undone = await lives.undo();
    if (!isAbort(error) && !signal.aborted) throw error;
    return err({ kind: "cancelled", ...undone });
  }
  if (pod === undefined) throw new Error("the plan has no driver pod");
  return ok({
    applicationId,
    submissionId: `${namespace}:${driverPodName}`,
    driverPod: pod,
    created: lives.in("created"),
    kept: lives.in("kept"),
  });
}

/** The objects of a submission, in the order of their first writes. */
class ObjectLives {
  readonly #context: LifeContext;
  readonly #lives = new Map<string, ObjectLife>();

  constructor(context: LifeContext) {
    this.#context = context;
  }

  of(write: SubmissionPlan["writes"][number]): ObjectLife {
    const { kind, name } = writtenObjectOf(write, this.#context.namespace);
    const key = `${kind}/${name}`;
    const life = this.#lives.get(key) ?? new ObjectLife(write, this.#context);
    this.#lives.set(key, life);
    return life;
  }

  in(state: ObjectLife["state"]): readonly ObjectReference[] {
    return [...this.#lives.values()]
      .filter((life) => life.state === state)
      .map(({ reference }) => reference);
  }

  /** Deletes in reverse order what the server does not delete with its owner. Continues after a failure. */
  async undo(): Promise<Undone> {
    const signal = AbortSignal.timeout(undoDeadlineMs);
    const lives = [...this.#lives.values()];
    const failed = new Set<ObjectLife>();
    let undoError: ClusterError | undefined;
    let isPodLeft = false;
    let doubt: ClusterError | undefined;
    for (const life of lives) doubt ??= await life.confirm(signal);
    for (const life of lives.reverse()) {
      if (life.isOwned) continue;
      const error = await life.remove(signal);
      if (error === undefined) continue;
      undoError ??= error;
      failed.add(life);
      isPodLeft ||= life.reference.kind === "Pod";
    }
    const remains = (life: ObjectLife): boolean =>
      failed.has(life) ||
      life.state === "uncertain" ||
      (life.isOwned && isPodLeft && life.state === "created");
    const remaining = [...this.#lives.values()].filter(remains);
    return {
      remaining: remaining.map(({ reference }) => reference),
      undoError: undoError ?? doubt,
    };
  }
}

function ownerFrom(pod: StoredObject | undefined): OwnerReference {
  if (pod === undefined) throw new Error("an owned object comes before the driver pod");
  const { apiVersion, kind, name, uid } = pod;
  return { apiVersion, kind, name, uid, controller: true };
}
