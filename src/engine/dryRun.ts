import type { Result } from "../base/result.ts";
import { assertNever } from "../base/assertNever.ts";
import type { PlannedWrite, SubmissionPlan } from "../spark/submit/submissionPlan.ts";
import type { ClusterError } from "./clusterError.ts";
import type { ObjectApi, ObjectReference, StoredObject } from "./ports.ts";
import { objectOf } from "./submitWrite.ts";

/** What the server says of one object of a plan without keeping it. */
export interface DryRunResult {
  readonly object: ObjectReference;
  readonly outcome:
    | { readonly kind: "accepted"; readonly stored: StoredObject }
    /** An object of the name is there, and the plan leaves it as it is. */
    | { readonly kind: "kept" }
    | { readonly kind: "refused"; readonly error: ClusterError };
  /**
   * True for what the driver pod will own: there is no pod yet, so the server sees the object without the
   * reference to it, and does not check that.
   */
  readonly isWithoutOwner: boolean;
}

/**
 * Sends every write of a plan as a dry run of the server: it is checked, defaulted and admitted, and not
 * stored. All at once, as none depends on another; the results are in the order of the plan.
 */
export async function dryRunPlan(
  plan: SubmissionPlan,
  { objects }: { readonly objects: ObjectApi },
  signal: AbortSignal,
): Promise<readonly DryRunResult[]> {
  signal.throwIfAborted();
  const { namespace } = plan.identity;
  // An owned pre-resource is one that was written before, with an owner.
  const writes = plan.writes.filter(({ role }) => role !== "ownedPreResource");
  return Promise.all(
    writes.map(async (write) => ({
      object: objectOf(write, namespace),
      outcome: outcomeOf(write, await send(write, namespace, objects, signal)),
      isWithoutOwner: write.role === "owned",
    })),
  );
}

function send(
  write: PlannedWrite,
  namespace: string,
  objects: ObjectApi,
  signal: AbortSignal,
): Promise<Result<StoredObject, ClusterError>> {
  const { verb, manifest, namesCharset: charset } = write;
  const options = { dryRun: true, charset };
  switch (verb.kind) {
    case "apply": {
      const { fieldManager, force } = verb;
      return objects.apply(namespace, manifest, { ...options, fieldManager, force }, signal);
    }
    case "create":
    case "createOrReplace":
    case "createUnlessThere": {
      const { apiVersion, kind } = objectOf(write, namespace);
      const sentTo = { apiVersion, kind };
      return objects.create(namespace, manifest, { ...options, sentTo }, signal);
    }
    default:
      return assertNever(verb);
  }
}

function outcomeOf(
  { verb }: PlannedWrite,
  result: Result<StoredObject, ClusterError>,
): DryRunResult["outcome"] {
  if (result.ok) return { kind: "accepted", stored: result.value };
  const isThere = verb.kind === "createUnlessThere" && result.error.kind === "conflict";
  return isThere ? { kind: "kept" } : { kind: "refused", error: result.error };
}
