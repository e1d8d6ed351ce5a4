import type { Result } from "../../base/result.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { PlannedWrite, SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { ClusterError } from "../clusterError.ts";
import type { ObjectApi, ObjectReference, StoredObject } from "../ports/objects.ts";
import { writtenObjectOf } from "./objectReference.ts";

/** The result of one object's server-side dry run. */
export interface DryRunResult {
  readonly object: ObjectReference;
  readonly outcome:
    | { readonly kind: "accepted"; readonly stored: StoredObject }
    /** An object with the name exists, and the plan keeps it. */
    | { readonly kind: "kept" }
    | { readonly kind: "refused"; readonly error: ClusterError };
  /**
   * True for objects that the driver pod will own. Without a pod the dry run omits the owner
   * reference, and does not check it.
   */
  readonly isWithoutOwner: boolean;
}

/**
 * Sends each write of a plan, except owned pre-resources, as a server-side dry run: the server validates, defaults and
 * admits the object, but does not store it. Sends all requests in parallel. Returns the results in plan order.
 */
export async function dryRunPlan(
  plan: SubmissionPlan,
  { objects }: { readonly objects: ObjectApi },
  signal: AbortSignal,
): Promise<readonly DryRunResult[]> {
  signal.throwIfAborted();
  const { namespace } = plan.identity;
  // Skip owned pre-resources, because they repeat an earlier write with an owner.
  const writes = plan.writes.filter(({ role }) => role !== "ownedPreResource");
  return Promise.all(
    writes.map(async (write) => ({
      object: writtenObjectOf(write, namespace),
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
      const { apiVersion, kind } = writtenObjectOf(write, namespace);
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
