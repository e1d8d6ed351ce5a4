import { PagedList } from "../base/pagedList.ts";
import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type {
  PodListRequest,
  PodPage,
  PodSelection,
  PodSource,
  PodWatchEvent,
  PodWatchItem,
  PodWatchRequest,
} from "../engine/ports/pods.ts";
import type { WatchBookmark } from "../engine/ports/watch.ts";
import { decodePod } from "../spark/pods/decodePod.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { sharedValues, type SharedValues } from "../spark/pods/sharedValues.ts";
import { messagesOrJson } from "./apiMessages.ts";
import type { ApiCall, ApiClient } from "./apiRequest.ts";
import { readPage } from "./readPage.ts";
import { readWatch } from "./readWatch.ts";
import { pathOf, podResource, queryOf } from "./resources.ts";
import type { EventDecoder } from "./watchEvents.ts";

export class ApiPodSource implements PodSource {
  readonly #api: ApiClient;
  readonly #shared = sharedValues();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async listPods(
    request: PodListRequest,
    signal: AbortSignal,
  ): Promise<Result<PodPage, ClusterError>> {
    const { resourceVersion, limit, continueToken } = request;
    const isFirst = continueToken === undefined;
    const call = callOf(request, "list", {
      labelSelector: request.labelSelector,
      limit: String(limit),
      continue: continueToken,
      // On later pages, the continue token determines the resource version.
      resourceVersion: isFirst ? resourceVersion : undefined,
      resourceVersionMatch: isFirst && resourceVersion !== undefined ? "NotOlderThan" : undefined,
    });
    if (!call.ok) return call;
    const decode = (json: unknown): PodRecord | undefined => decodePod(json, this.#shared);
    const kind = { what: "pods", decode, skipsOthers: false };
    const page = await readPage(this.#api, call.value, kind, new PagedList(), signal);
    if (!page.ok) return page;
    const { items, ...rest } = page.value;
    return ok({ pods: items, ...rest });
  }

  watchPods(request: PodWatchRequest, signal: AbortSignal): AsyncGenerator<PodWatchItem> {
    const { sendInitialEvents, resourceVersion } = request;
    const call = callOf(request, "watch", {
      labelSelector: request.labelSelector,
      watch: "true",
      allowWatchBookmarks: "true",
      timeoutSeconds: String(request.timeoutSeconds),
      resourceVersion,
      sendInitialEvents: sendInitialEvents ? "true" : undefined,
      resourceVersionMatch: sendInitialEvents ? "NotOlderThan" : undefined,
    });
    return readWatch(this.#api, call, podDecoder(this.#shared), signal);
  }
}

/** Returns the decoder for watch events on pods. `shared` interns their repeated values. */
export const podDecoder = (shared: SharedValues): EventDecoder<PodEvent> => ({
  what: "pods",
  decode: (type, object) => {
    const pod = decodePod(object, shared);
    return pod && { kind: kinds[type], pod };
  },
  skipsOthers: false,
});

type PodEvent = Exclude<PodWatchEvent, WatchBookmark>;

const kinds = { ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const;

function callOf(
  { namespace }: PodSelection,
  verb: "list" | "watch",
  parameters: Readonly<Record<string, string | undefined>>,
): Result<ApiCall, ClusterError> {
  const path = pathOf(podResource, namespace, undefined);
  if (!path.ok) return path;
  const subject = { verb, resource: podResource.plural, namespace, name: "" };
  return ok({
    method: "GET",
    path: path.value + queryOf(parameters),
    subject,
    // Lists are parsed item by item, so JSON is fast enough. Watches take most of the CPU time, so they request
    // protobuf.
    accept: verb === "watch" ? messagesOrJson : "application/json",
    body: undefined,
  });
}
