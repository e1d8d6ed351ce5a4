import { err, ok, type Result } from "../base/result.ts";
import { assertNever } from "../base/assertNever.ts";
import { appSelectorLabel } from "../spark/labels.ts";
import { fieldsOf, itemsOf } from "../spark/pods/fields.ts";
import type { Manifest, OwnerReference } from "../spark/submit/manifest.ts";
import type { PlannedWrite, RetryPolicy } from "../spark/submit/submissionPlan.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Clock, ObjectApi, ObjectReference, StoredObject } from "./ports.ts";

/** What one planned write needs to be carried out. */
export interface WriteContext {
  readonly objects: ObjectApi;
  readonly clock: Clock;
  readonly namespace: string;
  readonly retry: RetryPolicy;
}

export interface Written {
  readonly object: StoredObject;
  /** False: an object of the name was there and is left as it was. */
  readonly isCreated: boolean;
}

export interface WriteFailure {
  readonly error: ClusterError;
  /** The server may have carried the write out although it did not say so. */
  readonly isUncertain: boolean;
}

export const firstRetryDelayMs = 100;

/**
 * Carries out one write by its verb, again after failures that the policy lets pass. A create that is sent
 * twice cannot make two objects, as the names are fresh; one that finds its own object takes it.
 */
export async function carryOut(
  write: PlannedWrite,
  owner: OwnerReference | undefined,
  context: WriteContext,
  signal: AbortSignal,
): Promise<Result<Written, WriteFailure>> {
  const manifest = owner === undefined ? write.manifest : owned(write.manifest, owner);
  let isUncertain = false;
  for (let attempt = 0; ; attempt++) {
    const result = await send(write, manifest, owner, isUncertain, context, signal);
    if (result.ok) return result;
    isUncertain ||= mayHaveBeenDone(result.error);
    if (attempt >= context.retry.maxRetries || !isRetriable(result.error)) {
      // After a mishap that lasts, an object that came to be all the same is as good as a created one.
      const last =
        write.verb.kind === "createOrReplace" && isMishap(result.error)
          ? await replaceOwn(manifest, owner, result, write, context, signal)
          : result;
      return last.ok ? last : err({ error: last.error, isUncertain });
    }
    await context.clock.sleep(firstRetryDelayMs * 2 ** attempt, signal);
  }
}

export function referenceTo(manifest: Manifest, namespace: string): ObjectReference {
  const { apiVersion, kind, metadata } = manifest;
  return { apiVersion, kind, namespace, name: metadata.name };
}

/** The object of a write. The driver's pod is among the pods, whatever its template calls it. */
export function objectOf(
  { role, manifest }: Pick<PlannedWrite, "role" | "manifest">,
  namespace: string,
): ObjectReference {
  return { ...referenceTo(manifest, namespace), ...(role === "driverPod" && podKind) };
}

const podKind = { apiVersion: "v1", kind: "Pod" };

/** Whether an object on the server is of this submission: its pod owns it, or it names the application. */
export function isOwn(
  stored: StoredObject,
  manifest: Manifest,
  owner: OwnerReference | undefined,
): boolean {
  const { labels, ownerReferences } = fieldsOf(fieldsOf(stored.body)["metadata"]);
  if (owner !== undefined) {
    return itemsOf(ownerReferences).some((each) => fieldsOf(each)["uid"] === owner.uid);
  }
  const applicationId = manifest.metadata.labels?.[appSelectorLabel];
  return applicationId !== undefined && fieldsOf(labels)[appSelectorLabel] === applicationId;
}

/** Worth another try with the same request: the server had a mishap, or the connection broke. */
export function isRetriable(error: ClusterError): boolean {
  switch (error.kind) {
    case "badResponse":
      return isMishap(error);
    case "unreachable":
      return error.requestSent;
    case "unauthorized":
    case "forbidden":
    case "notFound":
    case "conflict":
    case "protected":
    case "invalid":
    case "expired":
    // The port has waited already for as long as the server asked it to.
    case "throttled":
    case "configuration":
      return false;
    default:
      return assertNever(error);
  }
}

async function send(
  write: PlannedWrite,
  manifest: Manifest,
  owner: OwnerReference | undefined,
  mayBeThere: boolean,
  context: WriteContext,
  signal: AbortSignal,
): Promise<Result<Written, ClusterError>> {
  const { objects, namespace } = context;
  const { verb, namesCharset: charset } = write;
  const options = { dryRun: false, charset };
  if (verb.kind === "apply") {
    const { fieldManager, force } = verb;
    return created(
      await objects.apply(namespace, manifest, { ...options, fieldManager, force }, signal),
    );
  }
  const { apiVersion, kind } = objectOf(write, namespace);
  const sentTo = { apiVersion, kind };
  const result = await objects.create(namespace, manifest, { ...options, sentTo }, signal);
  if (result.ok || result.error.kind !== "conflict") return created(result);
  if (verb.kind === "createUnlessThere") return ok(keptAsItIs(manifest, namespace));
  if (verb.kind === "create" && !mayBeThere) return result;

  if (verb.kind === "createOrReplace") {
    return replaceOwn(manifest, owner, result, write, context, signal);
  }
  const stored = await objects.read(objectOf(write, namespace), signal);
  return stored.ok && !isOwn(stored.value, manifest, owner) ? result : created(stored);
}

// An object of somebody else's is left alone: what was the matter before stays so.
async function replaceOwn(
  manifest: Manifest,
  owner: OwnerReference | undefined,
  before: Result<Written, ClusterError>,
  { namesCharset: charset }: PlannedWrite,
  { objects, namespace }: WriteContext,
  signal: AbortSignal,
): Promise<Result<Written, ClusterError>> {
  const stored = await objects.read(referenceTo(manifest, namespace), signal);
  if (!stored.ok) return before;
  if (!isOwn(stored.value, manifest, owner)) return before;
  const { resourceVersion } = stored.value;
  const replacement = { ...manifest, metadata: { ...manifest.metadata, resourceVersion } };
  const options = { dryRun: false, charset };
  return created(await objects.replace(namespace, replacement, options, signal));
}

function isMishap(error: ClusterError): boolean {
  return error.kind === "badResponse" && error.status !== undefined && error.status >= 500;
}

function created(result: Result<StoredObject, ClusterError>): Result<Written, ClusterError> {
  return result.ok ? ok({ object: result.value, isCreated: true }) : result;
}

// Its uid is of no use to us, as nothing of it is ours to undo.
function keptAsItIs(manifest: Manifest, namespace: string): Written {
  const reference = referenceTo(manifest, namespace);
  return {
    object: { ...reference, uid: "", resourceVersion: "", body: undefined },
    isCreated: false,
  };
}

function owned(manifest: Manifest, owner: OwnerReference): Manifest {
  return { ...manifest, metadata: { ...manifest.metadata, ownerReferences: [owner] } };
}

function mayHaveBeenDone(error: ClusterError): boolean {
  return error.kind === "badResponse" || (error.kind === "unreachable" && error.requestSent);
}
