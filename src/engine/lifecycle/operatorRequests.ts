import { err, ok, type Result } from "../../base/result.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { ObjectName, OperatorRequest } from "../../spark/operator/operatorPlan.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { ObjectApi, ObjectReference, StoredObject } from "../ports/objects.ts";
import { isTransient, mayBeCarriedOut } from "../watch/retryPolicy.ts";
import { referenceTo } from "../submit/objectReference.ts";

export interface OperatorPorts {
  readonly objects: ObjectApi;
  readonly clock: Clock;
}

export type OperatorFailure =
  /** An object with the name exists; it is unchanged. */
  | { readonly kind: "alreadyThere"; readonly object: ObjectReference }
  /** Another object has the name now; it is unchanged. */
  | { readonly kind: "replaced"; readonly object: ObjectReference }
  /** The object to change does not exist. */
  | { readonly kind: "absent"; readonly object: ObjectReference }
  /** The cluster does not serve the operator's API. */
  | { readonly kind: "noApi"; readonly object: ObjectReference }
  /** The deletion was accepted, but something blocks it, such as a finalizer. */
  | { readonly kind: "stillThere"; readonly object: ObjectReference }
  | {
      readonly kind: "refused";
      readonly object: ObjectReference;
      readonly error: ClusterError;
      /** True if a deletion was carried out, or may have been. */
      readonly isDeleted: boolean;
    };

const strictly = { charset: false, fieldValidation: "Strict" } as const;
const pollMs = 250;
const maxDeletionMs = 300_000;
// After a deletion, retry through short outages, so that the action completes.
const maxOutageMs = 120_000;
const retryMs = 2_000;

/**
 * Sends the requests of an operator action in order and stops at the first failure. Returns the last object written;
 * undefined if the action only deletes. `namespace` applies to objects that name none. If the action deletes first, the
 * creations pass a dry run before, so that an invalid manifest deletes nothing.
 */
export async function carryOutRequests(
  requests: readonly OperatorRequest[],
  namespace: string,
  ports: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<StoredObject | undefined, OperatorFailure>> {
  const checked = await checkBeforeDeletion(requests, namespace, ports, signal);
  if (!checked.ok) return checked;
  let written: StoredObject | undefined;
  let isDeleted = false;
  for (const request of requests) {
    signal.throwIfAborted();
    const object = referenceOf(request, namespace);
    if (request.verb === "delete") {
      const deleted = await deleteAndWait(object, request.uid, ports, signal);
      if (!deleted.ok) return deleted;
      isDeleted ||= deleted.value;
      continue;
    }
    const attempt = isDeleted ? sendSurely : send;
    const result = await attempt(request, object, ports, signal);
    if (!result.ok) return err(await failureOf(result.error, object, isDeleted, ports, signal));
    written = result.value;
  }
  return ok(written);
}

async function sendSurely(
  request: Sent,
  object: ObjectReference,
  ports: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<StoredObject, ClusterError>> {
  const { objects, clock } = ports;
  const deadline = clock.now() + maxOutageMs;
  let mayBeThere = false;
  for (;;) {
    const result = await send(request, object, ports, signal);
    if (result.ok) return result;
    const { error } = result;
    // An earlier attempt probably succeeded, and its response was lost.
    if (error.kind === "conflict" && mayBeThere) return objects.read(object, signal);
    if (!isTransient(error) || clock.now() >= deadline) return result;
    mayBeThere ||= mayBeCarriedOut(error);
    await clock.sleep(retryMs, signal);
  }
}

/** Returns the object as the server would store it, with defaults and webhook changes. Stores nothing. */
export async function dryRunRequest(
  request: OperatorRequest & { readonly verb: "create" },
  namespace: string,
  ports: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<StoredObject, OperatorFailure>> {
  const object = referenceOf(request, namespace);
  const options = { ...strictly, dryRun: true };
  const result = await ports.objects.create(object.namespace, request.manifest, options, signal);
  return result.ok ? result : err(await failureOf(result.error, object, false, ports, signal));
}

// The server checks for a conflicting name last, so a conflict means that the manifest is valid.
async function checkBeforeDeletion(
  requests: readonly OperatorRequest[],
  namespace: string,
  ports: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<void, OperatorFailure>> {
  if (!requests.some(({ verb }) => verb === "delete")) return ok(undefined);
  for (const request of requests) {
    if (request.verb !== "create") continue;
    signal.throwIfAborted();
    const result = await dryRunRequest(request, namespace, ports, signal);
    if (!result.ok && result.error.kind !== "alreadyThere") return result;
  }
  return ok(undefined);
}

type Sent = Exclude<OperatorRequest, { readonly verb: "delete" }>;

function send(
  request: Sent,
  object: ObjectReference,
  { objects }: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<StoredObject, ClusterError>> {
  const options = { ...strictly, dryRun: false };
  switch (request.verb) {
    case "create":
      return objects.create(object.namespace, request.manifest, options, signal);
    case "patch":
      return objects.patch(object, request.patch, options, signal);
    default:
      return assertNever(request);
  }
}

/**
 * Deletes the object and waits up to 5 min until the server no longer has that uid. Returns whether the object existed.
 */
async function deleteAndWait(
  object: ObjectReference,
  wanted: string | undefined,
  ports: OperatorPorts,
  signal: AbortSignal,
): Promise<Result<boolean, OperatorFailure>> {
  const { objects, clock } = ports;
  let isOrdered = false;
  const refused = async (error: ClusterError): Promise<Result<never, OperatorFailure>> =>
    err(await failureOf(error, object, isOrdered, ports, signal));
  const found = await objects.read(object, signal);
  if (!found.ok) return found.error.kind === "notFound" ? ok(false) : refused(found.error);
  const { uid } = found.value;
  if (wanted !== undefined && uid !== wanted) return err({ kind: "replaced", object });
  const options = { uid, propagationPolicy: "Foreground", gracePeriodSeconds: undefined } as const;
  const orderedBefore = clock.now() + maxOutageMs;
  for (;;) {
    const ordered = await objects.delete(object, options, signal);
    if (ordered.ok) break;
    const { error } = ordered;
    if (error.kind === "notFound") return ok(true);
    isOrdered ||= mayBeCarriedOut(error);
    // Repeating the deletion is safe, whether or not the first one arrived.
    if (!isOrdered || !isTransient(error) || clock.now() >= orderedBefore) return refused(error);
    await clock.sleep(retryMs, signal);
  }
  isOrdered = true;
  const deadline = clock.now() + maxDeletionMs;
  for (;;) {
    const left = await objects.read(object, signal);
    if (left.ok ? left.value.uid !== uid : left.error.kind === "notFound") return ok(true);
    if (!left.ok && !isTransient(left.error)) return refused(left.error);
    if (clock.now() >= deadline) return err({ kind: "stillThere", object });
    await clock.sleep(left.ok ? pollMs : retryMs, signal);
  }
}

async function failureOf(
  error: ClusterError,
  object: ObjectReference,
  isDeleted: boolean,
  { objects }: OperatorPorts,
  signal: AbortSignal,
): Promise<OperatorFailure> {
  if (error.kind === "conflict") return { kind: "alreadyThere", object };
  if (error.kind === "notFound" && error.resource !== "namespaces") {
    // Listing distinguishes a missing API from a missing object.
    const { apiVersion, kind, namespace } = object;
    const listed = await objects.list({ apiVersion, kind }, namespace, "", signal);
    if (!listed.ok && listed.error.kind === "notFound") return { kind: "noApi", object };
    if (listed.ok) return { kind: "absent", object };
  }
  return { kind: "refused", object, error, isDeleted };
}

function referenceOf(request: OperatorRequest, namespace: string): ObjectReference {
  if (request.verb !== "create") return inNamespace(request.object, namespace);
  return referenceTo(request.manifest, request.manifest.metadata.namespace ?? namespace);
}

const inNamespace = (object: ObjectName, namespace: string): ObjectReference => ({
  ...object,
  namespace: object.namespace ?? namespace,
});
