import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type {
  ApplyOptions,
  DeleteOptions,
  Evictions,
  ObjectApi,
  ObjectReference,
  StoredObject,
  WholeList,
  CreateOptions,
  WriteOptions,
} from "../engine/ports.ts";
import type { JsonObject, Manifest } from "../spark/submit/manifest.ts";
import type { ApiCall, ApiClient } from "./apiRequest.ts";
import { fieldOf, isRecord, textOf } from "./json.ts";
import { findResource, pathOf, podResource, queryOf, rbacName } from "./resources.ts";
import type { Subject } from "./statusError.ts";

const largestList = 500;

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

type Stored = Promise<Result<StoredObject, ClusterError>>;

export class ApiObjects implements ObjectApi, Evictions {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  create(
    namespace: string,
    manifest: Manifest,
    options: CreateOptions,
    signal: AbortSignal,
  ): Stored {
    const body = { contentType: contentType("application/json", options), json: manifest };
    const query = checks(options);
    const { name } = manifest.metadata;
    const { sentTo = manifest } = options;
    return this.#write("POST", "create", sentTo, namespace, { name, query, body }, signal);
  }

  apply(namespace: string, manifest: Manifest, options: ApplyOptions, signal: AbortSignal): Stored {
    const { fieldManager, force } = options;
    // JSON is YAML, and what the server is sent is JSON.
    const body = {
      contentType: contentType("application/apply-patch+yaml", options),
      json: manifest,
    };
    const query = { fieldManager, force: String(force), ...checks(options) };
    const { name } = manifest.metadata;
    return this.#write("PATCH", "patch", manifest, namespace, { name, query, body }, signal);
  }

  replace(
    namespace: string,
    manifest: Manifest,
    options: WriteOptions,
    signal: AbortSignal,
  ): Stored {
    const body = { contentType: contentType("application/json", options), json: manifest };
    const query = checks(options);
    const { name } = manifest.metadata;
    return this.#write("PUT", "update", manifest, namespace, { name, query, body }, signal);
  }

  patch(
    { namespace, name, ...kind }: ObjectReference,
    patch: JsonObject,
    options: WriteOptions,
    signal: AbortSignal,
  ): Stored {
    const body = { contentType: contentType("application/merge-patch+json", options), json: patch };
    const content = { name, query: checks(options), body };
    return this.#write("PATCH", "patch", kind, namespace, content, signal);
  }

  read({ namespace, name, ...kind }: ObjectReference, signal: AbortSignal): Stored {
    const content = { name, query: {}, body: undefined };
    return this.#write("GET", "get", kind, namespace, content, signal);
  }

  async delete(
    { namespace, name, ...kind }: ObjectReference,
    { uid, propagationPolicy, gracePeriodSeconds }: DeleteOptions,
    signal: AbortSignal,
  ): Promise<Result<void, ClusterError>> {
    const json = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(uid !== undefined && { preconditions: { uid } }),
      ...(propagationPolicy !== undefined && { propagationPolicy }),
    };
    const body = { contentType: "application/json", json };
    const call = callOf("DELETE", "delete", kind, namespace, { name, query: {}, body });
    if (!call.ok) return call;
    const answer = await this.#api.request(call.value, signal);
    return answer.ok ? ok(undefined) : answer;
  }

  async evict(
    { namespace, name }: Omit<ObjectReference, "apiVersion" | "kind">,
    { uid, gracePeriodSeconds }: Pick<DeleteOptions, "uid" | "gracePeriodSeconds">,
    signal: AbortSignal,
  ): Promise<Result<void, ClusterError>> {
    const path = pathOf(podResource, namespace, name);
    if (!path.ok) return path;
    const json = {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name, namespace },
      deleteOptions: {
        ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
        ...(uid !== undefined && { preconditions: { uid } }),
      },
    };
    const answer = await this.#api.request(
      {
        method: "POST",
        path: `${path.value}/eviction`,
        subject: { verb: "create", resource: "pods/eviction", namespace, name },
        accept: "application/json",
        body: { contentType: "application/json", text: JSON.stringify(json) },
      },
      signal,
    );
    return answer.ok ? ok(undefined) : answer;
  }

  async list(
    kind: Kind,
    namespace: string,
    labelSelector: string | WholeList,
    signal: AbortSignal,
  ): Promise<Result<readonly StoredObject[], ClusterError>> {
    const query =
      typeof labelSelector === "string"
        ? { labelSelector, limit: String(largestList) }
        : { labelSelector: labelSelector.labelSelector };
    const content = { name: undefined, query, body: undefined };
    const call = callOf("GET", "list", kind, namespace, content);
    if (!call.ok) return call;
    const answer = await this.#api.request(call.value, signal);
    if (!answer.ok) return answer;
    const items = fieldOf(answer.value, "items");
    // Go writes an empty list as null where it was never filled.
    if (items === null) return ok([]);
    if (!Array.isArray(items)) return err(notWhatWasAskedFor);
    const objects = items.map((item) => decodeObject(item, kind));
    const known = objects.filter((object) => object !== undefined);
    return known.length === objects.length ? ok(known) : err(notWhatWasAskedFor);
  }

  async #write(
    method: ApiCall["method"],
    verb: Subject["verb"],
    kind: Kind,
    namespace: string,
    content: Content,
    signal: AbortSignal,
  ): Stored {
    const call = callOf(method, verb, kind, namespace, content);
    if (!call.ok) return call;
    const answer = await this.#api.request(call.value, signal);
    if (!answer.ok) return answer;
    const object = decodeObject(answer.value, kind);
    return object ? ok(object) : err(notWhatWasAskedFor);
  }
}

interface Content {
  readonly name: string | undefined;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: { readonly contentType: string; readonly json: unknown } | undefined;
}

function callOf(
  method: ApiCall["method"],
  verb: Subject["verb"],
  { apiVersion, kind }: Kind,
  namespace: string,
  { name, query, body }: Content,
): Result<ApiCall, ClusterError> {
  const resource = findResource(apiVersion, kind);
  if (!resource.ok) return resource;
  // The name of an object to be created does not stand in the path; the server judges it.
  const path = pathOf(resource.value, namespace, method === "POST" ? undefined : name);
  if (!path.ok) return path;
  const subject = {
    verb,
    resource: rbacName(resource.value),
    namespace: resource.value.isNamespaced ? namespace : undefined,
    name: name ?? "",
  };
  return ok({
    method,
    path: path.value + queryOf(query),
    subject,
    accept: "application/json",
    body: body && { contentType: body.contentType, text: JSON.stringify(body.json) },
  });
}

const contentType = (type: string, { charset }: WriteOptions): string =>
  charset ? `${type}; charset=utf-8` : type;

const checks = ({ dryRun, fieldValidation }: WriteOptions): Content["query"] => ({
  dryRun: dryRun ? "All" : undefined,
  fieldValidation,
});

const notWhatWasAskedFor: ClusterError = {
  kind: "badResponse",
  status: undefined,
  detail: "the answer is not the object that was asked for",
};

// Objects in a list leave out their kind, which is that of the list.
function decodeObject(json: unknown, { apiVersion, kind }: Kind): StoredObject | undefined {
  const metadata = fieldOf(json, "metadata");
  const name = textOf(metadata, "name");
  if (!isRecord(json) || name === undefined) return undefined;
  return {
    apiVersion: textOf(json, "apiVersion") ?? apiVersion,
    kind: textOf(json, "kind") ?? kind,
    name,
    namespace: textOf(metadata, "namespace") ?? "",
    uid: textOf(metadata, "uid") ?? "",
    resourceVersion: textOf(metadata, "resourceVersion") ?? "",
    body: json,
  };
}
