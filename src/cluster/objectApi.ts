import { largestPagedList, PagedList } from "../base/pagedList.ts";
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
} from "../engine/ports/objects.ts";
import { fieldAt, isRecord, nonEmptyTextAt, type JsonObject } from "../base/json.ts";
import type { Manifest } from "../spark/submit/plan/manifest.ts";
import type { ApiCall, ApiClient } from "./apiRequest.ts";
import { pageIn, readPages } from "./readPage.ts";
import { findResource, pathOf, podResource, queryOf, rbacName } from "./resources.ts";

const pageSize = 500;
/** Size limit in bytes of all pages of a list together, because the result is held in memory. */
const largestList = 256 << 20;

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
    return this.#write("create", sentTo, namespace, { name, query, body }, signal);
  }

  apply(namespace: string, manifest: Manifest, options: ApplyOptions, signal: AbortSignal): Stored {
    const { fieldManager, force } = options;
    // JSON is valid YAML, so the apply patch is sent as JSON.
    const body = {
      contentType: contentType("application/apply-patch+yaml", options),
      json: manifest,
    };
    const query = { fieldManager, force: String(force), ...checks(options) };
    const { name } = manifest.metadata;
    return this.#write("patch", manifest, namespace, { name, query, body }, signal);
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
    return this.#write("update", manifest, namespace, { name, query, body }, signal);
  }

  patch(
    { namespace, name, ...kind }: ObjectReference,
    patch: JsonObject,
    options: WriteOptions,
    signal: AbortSignal,
  ): Stored {
    const body = { contentType: contentType("application/merge-patch+json", options), json: patch };
    const content = { name, query: checks(options), body };
    return this.#write("patch", kind, namespace, content, signal);
  }

  read({ namespace, name, ...kind }: ObjectReference, signal: AbortSignal): Stored {
    const content = { name, query: {}, body: undefined };
    return this.#write("get", kind, namespace, content, signal);
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
    const call = callOf("delete", kind, namespace, { name, query: {}, body });
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
    namespace: string | undefined,
    labelSelector: string | WholeList,
    signal: AbortSignal,
  ): Promise<Result<readonly StoredObject[], ClusterError>> {
    const query =
      typeof labelSelector === "string"
        ? { labelSelector, limit: String(pageSize) }
        : { labelSelector: labelSelector.labelSelector };
    const items = {
      what: `objects of kind ${kind.kind}`,
      decode: (json: unknown) => decodeObject(json, kind),
      skipsOthers: false,
    };
    const pages = new PagedList({ ...largestPagedList, bytes: largestList });
    const listed = await readPages(pages, async (continueToken) => {
      const content = {
        name: undefined,
        query: { ...query, continue: continueToken },
        body: undefined,
      };
      const call = callOf("list", kind, namespace, content);
      if (!call.ok) return call;
      return this.#api.requestAs(call.value, (answer) => pageIn(answer, items, pages), signal);
    });
    return listed.ok ? ok(listed.value.items) : listed;
  }

  async #write(
    verb: Verb,
    kind: Kind,
    namespace: string,
    content: Content,
    signal: AbortSignal,
  ): Stored {
    const call = callOf(verb, kind, namespace, content);
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

const methods = {
  create: "POST",
  delete: "DELETE",
  get: "GET",
  list: "GET",
  patch: "PATCH",
  update: "PUT",
} as const;

type Verb = keyof typeof methods;

function callOf(
  verb: Verb,
  { apiVersion, kind }: Kind,
  namespace: string | undefined,
  { name, query, body }: Content,
): Result<ApiCall, ClusterError> {
  const resource = findResource(apiVersion, kind);
  if (!resource.ok) return resource;
  const method = methods[verb];
  // A POST path has no object name; the server validates the name in the body.
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
  detail: "the response is not the requested object",
};

// Items of a list omit apiVersion and kind, so use those of the request.
function decodeObject(json: unknown, { apiVersion, kind }: Kind): StoredObject | undefined {
  const metadata = fieldAt(json, "metadata");
  const name = nonEmptyTextAt(metadata, "name");
  if (!isRecord(json) || name === undefined) return undefined;
  return {
    apiVersion: nonEmptyTextAt(json, "apiVersion") ?? apiVersion,
    kind: nonEmptyTextAt(json, "kind") ?? kind,
    name,
    namespace: nonEmptyTextAt(metadata, "namespace") ?? "",
    uid: nonEmptyTextAt(metadata, "uid") ?? "",
    resourceVersion: nonEmptyTextAt(metadata, "resourceVersion") ?? "",
    body: json,
  };
}
