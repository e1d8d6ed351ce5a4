import { err, ok, type Result } from "../../base/result.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import { fieldsOf, itemsOf } from "../../base/json.ts";
import type { Manifest, OwnerReference } from "../../spark/submit/plan/manifest.ts";
import type { PlannedWrite, WriteRetries } from "../../spark/submit/plan/submissionPlan.ts";
import { noAnswer, type ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { ObjectApi, ObjectReference, StoredObject } from "../ports/objects.ts";
import { isAbort } from "../../base/isAbort.ts";
import { isOutage, mayBeCarriedOut } from "../watch/retryPolicy.ts";
import { referenceTo, writtenObjectOf } from "./objectReference.ts";
import { retryRequest } from "./retryRequest.ts";

export interface WriteContext {
  readonly objects: ObjectApi;
  readonly clock: Clock;
  readonly namespace: string;
  readonly retry: WriteRetries;
  /**
   * Prefixes of generated names. Other clients do not create such names, so these objects are deleted by name, as in
   * Spark.
   */
  readonly ownPrefixes: readonly string[];
}

/** The known state of an object on the server. */
type ObjectState =
  | { readonly kind: "absent" }
  /** An object with the name existed and is unchanged. */
  | { readonly kind: "kept" }
  /** The write was sent, but no response confirmed or refused it. */
  | { readonly kind: "uncertain" }
  /** The undo deletes only the object with this uid. If `uid` is undefined, it deletes by name. */
  | { readonly kind: "created"; readonly uid: string | undefined };

/** One object of a submission, from its first write to its undo. Up to two planned writes have the same object. */
export class SubmittedObject {
  readonly reference: ObjectReference;
  readonly #context: WriteContext;
  #state: ObjectState = { kind: "absent" };
  #isOwned = false;
  #manifest: Manifest | undefined;

  constructor(write: PlannedWrite, context: WriteContext) {
    this.reference = writtenObjectOf(write, context.namespace);
    this.#context = context;
  }

  get state(): ObjectState["kind"] {
    return this.#state.kind;
  }

  /** True if the driver pod owns the object, so that the server deletes it with the pod. */
  get isOwned(): boolean {
    return this.#isOwned;
  }

  /**
   * Carries out one write by its verb, with retries. Repeating a create is safe, because names are unique: a conflict
   * with the submission's own object is a success. Returns undefined if an existing object of that name is kept.
   */
  async write(
    write: PlannedWrite,
    owner: OwnerReference | undefined,
    signal: AbortSignal,
  ): Promise<Result<StoredObject | undefined, ClusterError>> {
    const { role } = write;
    // Count a pre-resource as created in any case. Spark deletes it even if its creation was refused; its name is
    // unique.
    if (role === "preResource") this.#state = { kind: "created", uid: undefined };
    const before = this.#state;
    const attempt = new WriteAttempt(write, owner, this.#context);
    this.#manifest = attempt.manifest;
    if (role === "driverPod") this.#state = { kind: "uncertain" };
    const result = await attempt.run(signal);
    if (!result.ok) {
      if (!attempt.mayBeCarriedOut) this.#state = before;
      return result;
    }
    if (result.value === undefined) {
      this.#state = { kind: "kept" };
      return result;
    }
    const { name } = this.reference;
    const isOwnName = this.#context.ownPrefixes.some((prefix) => name.startsWith(prefix));
    this.#state = { kind: "created", uid: isOwnName ? undefined : result.value.uid };
    this.#isOwned = role === "owned" || role === "ownedPreResource";
    return result;
  }

  /** Checks whether an uncertain write created the object. Returns an error if this is still unknown. */
  async confirm(signal: AbortSignal): Promise<ClusterError | undefined> {
    if (this.#state.kind !== "uncertain" || this.#manifest === undefined) return undefined;
    const manifest = this.#manifest;
    const read = await withinUndoDeadline(
      () => this.#context.objects.read(this.reference, signal),
      signal,
    );
    if (!read.ok && read.error.kind !== "notFound") return read.error;
    const isCreated = read.ok && isOwn(read.value, manifest, undefined);
    this.#state = isCreated ? { kind: "created", uid: read.value.uid } : { kind: "absent" };
    return undefined;
  }

  /**
   * Deletes the object. Returns an error if it may still exist. The uid prevents the deletion of a newer object with
   * the same name.
   */
  async remove(signal: AbortSignal): Promise<ClusterError | undefined> {
    if (this.#state.kind !== "created") return undefined;
    const { objects, retry, clock } = this.#context;
    const { uid } = this.#state;
    const options = {
      uid,
      propagationPolicy: "Background",
      gracePeriodSeconds: undefined,
    } as const;
    const deleted = await withinUndoDeadline(
      () =>
        retryRequest(
          () => objects.delete(this.reference, options, signal),
          retry.maxRetries,
          clock,
          signal,
        ),
      signal,
    );
    const isGone = deleted.ok || ["notFound", "conflict"].includes(deleted.error.kind);
    if (!isGone) return deleted.error;
    this.#state = { kind: "absent" };
    return undefined;
  }
}

/** One planned write with its retries. */
class WriteAttempt {
  readonly manifest: Manifest;
  /** True if an earlier request got no response, but may have been carried out. */
  mayBeCarriedOut = false;
  readonly #write: PlannedWrite;
  readonly #owner: OwnerReference | undefined;
  readonly #context: WriteContext;

  constructor(write: PlannedWrite, owner: OwnerReference | undefined, context: WriteContext) {
    const { manifest } = write;
    this.manifest =
      owner === undefined
        ? manifest
        : { ...manifest, metadata: { ...manifest.metadata, ownerReferences: [owner] } };
    this.#write = write;
    this.#owner = owner;
    this.#context = context;
  }

  async run(signal: AbortSignal): Promise<Result<StoredObject | undefined, ClusterError>> {
    const { retry, clock } = this.#context;
    const send = async (): Promise<Result<StoredObject | undefined, ClusterError>> => {
      const result = await this.#send(signal);
      if (!result.ok) this.mayBeCarriedOut ||= mayBeCarriedOut(result.error);
      return result;
    };
    const result = await retryRequest(send, retry.maxRetries, clock, signal);
    const isOutageAnswer =
      !result.ok && result.error.kind === "badResponse" && isOutage(result.error);
    // After a 5xx the object may exist: replace it if it is the submission's own.
    return this.#write.verb.kind === "createOrReplace" && isOutageAnswer
      ? this.#replaceOwn(result, signal)
      : result;
  }

  async #send(signal: AbortSignal): Promise<Result<StoredObject | undefined, ClusterError>> {
    const { objects, namespace } = this.#context;
    const { verb, namesCharset: charset } = this.#write;
    const options = { dryRun: false, charset };
    if (verb.kind === "apply") {
      const { fieldManager, force } = verb;
      return objects.apply(namespace, this.manifest, { ...options, fieldManager, force }, signal);
    }
    const reference = writtenObjectOf(this.#write, namespace);
    const { apiVersion, kind } = reference;
    const sentTo = { apiVersion, kind };
    const result = await objects.create(namespace, this.manifest, { ...options, sentTo }, signal);
    if (result.ok || result.error.kind !== "conflict") return result;
    if (verb.kind === "createUnlessThere") return ok(undefined);
    if (verb.kind === "create" && !this.mayBeCarriedOut) return result;
    if (verb.kind === "createOrReplace") return this.#replaceOwn(result, signal);
    const stored = await objects.read(reference, signal);
    return stored.ok && !isOwn(stored.value, this.manifest, this.#owner) ? result : stored;
  }

  /**
   * Replaces the submission's own object. Returns `before` if the stored object is not the submission's own or cannot
   * be read.
   */
  async #replaceOwn(
    before: Result<StoredObject | undefined, ClusterError>,
    signal: AbortSignal,
  ): Promise<Result<StoredObject | undefined, ClusterError>> {
    const { objects, namespace } = this.#context;
    const stored = await objects.read(referenceTo(this.manifest, namespace), signal);
    if (!stored.ok || !isOwn(stored.value, this.manifest, this.#owner)) return before;
    const { resourceVersion } = stored.value;
    const metadata = { ...this.manifest.metadata, resourceVersion };
    const options = { dryRun: false, charset: this.#write.namesCharset };
    return objects.replace(namespace, { ...this.manifest, metadata }, options, signal);
  }
}

/** True for an object of this submission: the driver pod owns it, or it has the application's label. */
function isOwn(
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

async function withinUndoDeadline<T>(
  ask: () => Promise<Result<T, ClusterError>>,
  deadline: AbortSignal,
): Promise<Result<T, ClusterError>> {
  try {
    return await ask();
  } catch (error) {
    if (!isAbort(error) && !deadline.aborted) throw error;
    return err(noAnswer("the server did not respond before the deadline of the undo"));
  }
}
