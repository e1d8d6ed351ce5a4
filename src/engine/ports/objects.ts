// Requests for API objects: create, apply, replace, patch, read, delete, list and evict.
import type { JsonObject } from "../../base/json.ts";
import type { Result } from "../../base/result.ts";
import type { Manifest } from "../../spark/submit/plan/manifest.ts";
import type { ClusterError } from "../clusterError.ts";

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** An object as the server returned it. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The complete object, for previews and for replacing. */
  readonly body: unknown;
}

export interface WriteOptions {
  /** True for a server-side dry run: the server validates and admits the object, but does not store it. */
  readonly dryRun: boolean;
  /** True if the Content-Type header includes a charset, as in Spark up to 3.5. */
  readonly charset: boolean;
  /** `Strict` makes the server reject unknown and duplicate fields. Otherwise the server drops them. */
  readonly fieldValidation?: "Strict";
}

export interface CreateOptions extends WriteOptions {
  /** The resource to post to, if it differs from the manifest's kind. */
  readonly sentTo?: { readonly apiVersion: string; readonly kind: string };
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force: boolean;
}

export interface DeleteOptions {
  /** Deletes only the object with this uid. If another object has the name, the server returns 409. */
  readonly uid: string | undefined;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan" | undefined;
  readonly gracePeriodSeconds: number | undefined;
}

/**
 * Requests a list without pagination, as Spark does. If `labelSelector` is undefined, the request has no such
 * parameter.
 */
export interface WholeList {
  readonly kind: "whole";
  readonly labelSelector: string | undefined;
}

/**
 * Sends requests to the API server. After a failure, repeats only reads and requests that the server cannot have
 * carried out.
 */
export interface ObjectApi {
  create(
    namespace: string,
    manifest: Manifest,
    options: CreateOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  apply(
    namespace: string,
    manifest: Manifest,
    options: ApplyOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  /** Sends a PUT. The manifest must contain the resource version that it replaces. */
  replace(
    namespace: string,
    manifest: Manifest,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  /**
   * Sends a JSON merge patch (RFC 7386): merges objects recursively, replaces other values, and removes members that
   * are null.
   */
  patch(
    reference: ObjectReference,
    patch: JsonObject,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  read(
    reference: ObjectReference,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  delete(
    reference: ObjectReference,
    options: DeleteOptions,
    signal: AbortSignal,
  ): Promise<Result<void, ClusterError>>;
  /**
   * Lists all objects of a kind that match the label selector, without managed fields. An empty selector selects all
   * objects, and an undefined namespace all namespaces.
   */
  list(
    kind: { readonly apiVersion: string; readonly kind: string },
    namespace: string | undefined,
    labelSelector: string | WholeList,
    signal: AbortSignal,
  ): Promise<Result<readonly StoredObject[], ClusterError>>;
}

export interface Evictions {
  /** Evicts a pod. Returns the error `protected` if a PodDisruptionBudget forbids the eviction. */
  evict(
    pod: Omit<ObjectReference, "apiVersion" | "kind">,
    options: Pick<DeleteOptions, "uid" | "gracePeriodSeconds">,
    signal: AbortSignal,
  ): Promise<Result<void, ClusterError>>;
}
