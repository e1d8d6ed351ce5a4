// Single objects of the cluster: read, create, change, delete, evict.
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
  /** True if the server validates and admits the object, but stores nothing. */
  readonly dryRun: boolean;
  /** True if the content type names the character set, as in Spark up to 3.5. */
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
  /** Deletes only the object with this uid; another object with the name gives 409. */
  readonly uid: string | undefined;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan" | undefined;
  readonly gracePeriodSeconds: number | undefined;
}

/** Requests the list in one piece, as Spark does. An undefined selector sends no `labelSelector` parameter. */
export interface WholeList {
  readonly kind: "whole";
  readonly labelSelector: string | undefined;
}

/** Single requests. Only reads are retried after the server may have carried them out. */
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
  /** PUT; the manifest contains the resource version that it replaces. */
  replace(
    namespace: string,
    manifest: Manifest,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  /** JSON merge patch: members replace those of the same name, and null removes one. */
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
   * Lists all objects of a kind with the labels, without managed fields. An empty selector selects all objects, and an
   * undefined namespace all namespaces.
   */
  list(
    kind: { readonly apiVersion: string; readonly kind: string },
    namespace: string | undefined,
    labelSelector: string | WholeList,
    signal: AbortSignal,
  ): Promise<Result<readonly StoredObject[], ClusterError>>;
}

export interface Evictions {
  /** Deletes a pod unless a PodDisruptionBudget forbids it; the error is `protected` then. */
  evict(
    pod: Omit<ObjectReference, "apiVersion" | "kind">,
    options: Pick<DeleteOptions, "uid" | "gracePeriodSeconds">,
    signal: AbortSignal,
  ): Promise<Result<void, ClusterError>>;
}
