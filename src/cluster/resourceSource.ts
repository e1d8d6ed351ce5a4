import { PagedList } from "../base/pagedList.ts";
import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { WatchItem } from "../engine/ports/watch.ts";
import type {
  ResourceEvent,
  ResourceKind,
  ResourceList,
  ResourceSource,
} from "../engine/ports/resources.ts";
import { decodeOperatorResource, type OperatorResource } from "../spark/pods/operatorResource.ts";
import type { ApiCall, ApiClient } from "./apiRequest.ts";
import { readPage, readPages } from "./readPage.ts";
import { readWatch } from "./readWatch.ts";
import { findResource, pathOf, queryOf, rbacName } from "./resources.ts";
import type { ChangeType } from "./watchEvents.ts";

const watchSeconds = 480;
const pageSize = 250;
const what = "custom resources";

export class ApiResources implements ResourceSource {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async listResources(
    kind: ResourceKind,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<ResourceList, ClusterError>> {
    const pages = new PagedList();
    const items = { what, decode: decoderOf(kind), skipsOthers: true };
    const listed = await readPages(pages, async (continueToken) => {
      const query = { limit: String(pageSize), continue: continueToken };
      const call = callOf(kind, namespace, "list", query);
      return call.ok ? readPage(this.#api, call.value, items, pages, signal) : call;
    });
    if (!listed.ok) return listed;
    const { items: resources, resourceVersion } = listed.value;
    return ok({ resources, resourceVersion });
  }

  watchResources(
    kind: ResourceKind,
    namespace: string | undefined,
    resourceVersion: string,
    signal: AbortSignal,
  ): AsyncGenerator<WatchItem<ResourceEvent>> {
    const call = callOf(kind, namespace, "watch", {
      watch: "true",
      allowWatchBookmarks: "true",
      timeoutSeconds: String(watchSeconds),
      resourceVersion,
    });
    const resourceOf = decoderOf(kind);
    const decode = (type: ChangeType, object: unknown): ResourceEvent | undefined => {
      const resource = resourceOf(object);
      return resource && { kind: type === "DELETED" ? "deleted" : "changed", resource };
    };
    return readWatch(this.#api, call, { what, decode, skipsOthers: true }, signal);
  }
}

const decoderOf =
  ({ apiVersion, kind }: ResourceKind) =>
  (json: unknown): OperatorResource | undefined =>
    decodeOperatorResource(apiVersion, kind, json);

function callOf(
  { apiVersion, kind }: ResourceKind,
  namespace: string | undefined,
  verb: "list" | "watch",
  query: Readonly<Record<string, string | undefined>>,
): Result<ApiCall, ClusterError> {
  const resource = findResource(apiVersion, kind);
  if (!resource.ok) return resource;
  const path = pathOf(resource.value, namespace, undefined);
  if (!path.ok) return path;
  return ok({
    method: "GET",
    path: path.value + queryOf(query),
    subject: { verb, resource: rbacName(resource.value), namespace, name: "" },
    accept: "application/json",
    body: undefined,
  });
}
