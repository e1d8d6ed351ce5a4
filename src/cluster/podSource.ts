import { PagedList } from "../base/pagedList.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type {
  PodListRequest,
  PodPage,
  PodSelection,
  PodSource,
  PodWatchItem,
  PodWatchRequest,
} from "../engine/ports/pods.ts";
import { sharedValues, type SharedValues } from "../spark/pods/sharedValues.ts";
import { decodePod } from "../spark/pods/decodePod.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { isOfMessages, messagesOrJson } from "./apiMessages.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "./apiRequest.ts";
import { ItemSplitter } from "./bytes/itemSplitter.ts";
import { parseWithoutManagedFields } from "./bytes/parseWithoutManagedFields.ts";
import { fieldAt, nonEmptyTextAt, parseJson } from "../base/json.ts";
import { EventFrames, EventLines } from "./eventStream.ts";
import { isJson } from "./readRefusal.ts";
import { pathOf, podResource, queryOf } from "./resources.ts";
import { BodyLost } from "../io/http/body.ts";
import { WatchEvents } from "./watchEvents.ts";

// No limit for the whole answer: a server may ignore the page limit and send all pods at once.
const listRules: AnswerRules = { channel: "api", headersMs, silenceMs: 30_000, wholeMs: undefined };

// The server sends a bookmark about every minute. If none arrives in 90 s, the connection is probably dead without a
// TCP error. After a false alarm, resuming the watch costs little.
const watchRules: AnswerRules = {
  channel: "watch",
  headersMs,
  silenceMs: 90_000,
  wholeMs: undefined,
};

/** Size limit of one pod or watch event in bytes. etcd rejects objects above 1.5 MB by default. */
const largestPod = 8 << 20;

const badResponse = (detail: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail,
});

export class ApiPodSource implements PodSource {
  readonly #api: ApiClient;
  readonly #alike = sharedValues();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  // Items are decoded as the bytes arrive, so that a large page does not block the event loop for longer than one
  // chunk.
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
      // On later pages the continue token determines the resource version.
      resourceVersion: isFirst ? resourceVersion : undefined,
      resourceVersionMatch: isFirst && resourceVersion !== undefined ? "NotOlderThan" : undefined,
    });
    if (!call.ok) return call;
    const answer = await this.#api.open(call.value, listRules, signal);
    if (!answer.ok) return answer;
    if (!isJson(answer.value.contentType)) {
      return err(badResponse(`the list of pods came as ${answer.value.contentType}, not JSON`));
    }
    try {
      return await readPage(answer.value.chunks, this.#alike);
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      return err(this.#api.lossOf(error, call.value));
    }
  }

  async *watchPods(request: PodWatchRequest, signal: AbortSignal): AsyncGenerator<PodWatchItem> {
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
    if (!call.ok) {
      yield { kind: "failed", error: call.error };
      return;
    }
    const answer = await this.#api.open(call.value, watchRules, signal);
    if (!answer.ok) {
      yield { kind: "failed", error: answer.error };
      return;
    }
    const errorOf = (status: unknown): ClusterError =>
      this.#api.statusError(status, call.value.subject);
    const stream = isOfMessages(answer.value.contentType)
      ? new EventFrames(largestPod)
      : new EventLines(largestPod);
    const reader = new WatchEvents(stream, errorOf, this.#alike);
    try {
      yield { kind: "events", events: [] };
      for await (const chunk of answer.value.chunks) {
        const { events, error } = reader.read(chunk);
        if (events.length > 0) yield { kind: "events", events };
        if (error) {
          yield { kind: "failed", error };
          return;
        }
      }
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      yield { kind: "failed", error: this.#api.lossOf(error, call.value) };
      return;
    } finally {
      answer.value.close();
    }
    const error = reader.end();
    if (error) yield { kind: "failed", error };
  }
}

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
    // Lists are parsed item by item, so JSON is fast enough. Watches take most of the CPU time, so they ask for
    // protobuf.
    accept: verb === "watch" ? messagesOrJson : "application/json",
    body: undefined,
  });
}

async function readPage(
  chunks: AsyncIterable<Buffer>,
  alike: SharedValues,
): Promise<Result<PodPage, ClusterError>> {
  const splitter = new ItemSplitter(largestPod);
  const pods: PodRecord[] = [];
  const size = new PagedList();
  let unreadable = 0;
  for await (const chunk of chunks) {
    const before = pods.length;
    splitter.push(chunk, (item) => {
      const json = parseWithoutManagedFields(item);
      const pod = json.ok ? decodePod(json.value, alike) : undefined;
      if (pod) pods.push(pod);
      else unreadable += 1;
    });
    if (splitter.isBroken || unreadable > 0) break;
    // A server may ignore the limit and send one endless page.
    const refusal = size.take(pods.length - before, chunk.length);
    if (refusal !== undefined) return err(badResponse(refusal));
  }
  const envelope = parseJson(splitter.takeEnvelope().toString());
  const metadata = envelope.ok ? fieldAt(envelope.value, "metadata") : undefined;
  const resourceVersion = nonEmptyTextAt(metadata, "resourceVersion");
  if (splitter.isBroken || unreadable > 0 || resourceVersion === undefined) {
    return err(badResponse("the answer is not a list of pods"));
  }
  return ok({ pods, resourceVersion, continueToken: nonEmptyTextAt(metadata, "continue") });
}
