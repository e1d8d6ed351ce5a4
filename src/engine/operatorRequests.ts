import { err, ok, type Result } from "../base/result.ts";
import { assertNever } from "../base/assertNever.ts";
import type { ObjectName, OperatorRequest } from "../spark/operator/operatorPlan.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Clock, ObjectApi, ObjectReference, StoredObject } from "./ports.ts";
import { isOutage } from "./retry.ts";
import { referenceTo } from "./submitWrite.ts";

export interface OperatorPorts {
  readonly objects: ObjectApi;
  readonly clock: Clock;
}

export type OperatorFailure =
  /** An object of the name is there. It is left as it is. */
  | { readonly kind: "alreadyThere"; readonly object: ObjectReference }
  /** Another object has the name by now. It is left as it is. */
  | { readonly kind: "replaced"; readonly object: ObjectReference }
  /** There is nothing to change. */
  | { readonly kind: "absent"; readonly object: ObjectReference }
  /** The cluster does not have the operator's API. */
  | { readonly kind: "noApi"; readonly object: ObjectReference }
  /** It was ordered to go and something holds it, such as a finalizer that nobody removes. */
  | { readonly kind: "stillThere"; readonly object: ObjectReference }
  | {
      readonly kind: "refused";
      readonly object: ObjectReference;
      readonly error: ClusterError;
      /** An object of an earlier request is gone by now, or was ordered to go. */
      readonly isDeleted: boolean;
    };

const strictly = { charset: false, fieldValidation: "Strict" } as const;
const pollMs = 250;
const longestDeletionMs = 300_000;
// What has begun is brought to its end where a server or the way to it fails for a moment.
const longestOutageMs = 120_000;
const retryMs = 2_000;

/**
 * Makes the requests of an operator's action in their order, and stops at the first that fails. Gives the
 * last object that was written. `namespace`: for objects that name none. What is to be created after a
 * deletion is checked by a dry run first, so that a manifest with a mistake deletes nothing.
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
  const deadline = clock.now() + longestOutageMs;
  let mayBeThere = false;
  for (;;) {
    const result = await send(request, object, ports, signal);
    if (result.ok) return result;
    const { error } = result;
    // An earlier attempt has come through, though its answer did not.
    if (error.kind === "conflict" && mayBeThere) return objects.read(object, signal);
    if (!passes(error) || clock.now() >= deadline) return result;
    mayBeThere ||= error.kind !== "throttled";
    await clock.sleep(retryMs, signal);
  }
}

// An answer that cannot be read tells nothing of what was done.
const passes = (error: ClusterError): boolean =>
  isOutage(error) ||
  error.kind === "throttled" ||
  (error.kind === "badResponse" && error.status === undefined);

/** What the server would store, defaults and the changes of webhooks included; nothing is stored. */
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

// A server looks for another object of the name last: if there is one, all else was right.
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

/** Whether there was an object to delete. It is over when that very object is gone. */
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
  const orderedBefore = clock.now() + longestOutageMs;
  for (;;) {
    const ordered = await objects.delete(object, options, signal);
    if (ordered.ok) break;
    const { error } = ordered;
    if (error.kind === "notFound") return ok(true);
    isOrdered ||= mayBeDone(error);
    // Whether it was heard or not, the same order does no harm.
    if (!isOrdered || !passes(error) || clock.now() >= orderedBefore) return refused(error);
    await clock.sleep(retryMs, signal);
  }
  isOrdered = true;
  const deadline = clock.now() + longestDeletionMs;
  for (;;) {
    const left = await objects.read(object, signal);
    if (left.ok ? left.value.uid !== uid : left.error.kind === "notFound") return ok(true);
    if (!left.ok && !passes(left.error)) return refused(left.error);
    if (clock.now() >= deadline) return err({ kind: "stillThere", object });
    await clock.sleep(left.ok ? pollMs : retryMs, signal);
  }
}

/** Whether the server may have done what it was asked, though no answer says so. */
const mayBeDone = (error: ClusterError): boolean =>
  (error.kind === "unreachable" && error.requestSent) || error.kind === "badResponse";

async function failureOf(
  error: ClusterError,
  object: ObjectReference,
  isDeleted: boolean,
  { objects }: OperatorPorts,
  signal: AbortSignal,
): Promise<OperatorFailure> {
  if (error.kind === "conflict") return { kind: "alreadyThere", object };
  if (error.kind === "notFound" && error.resource !== "namespaces") {
    // An API that is not there has no list either; one that is there has a list, be it empty.
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
