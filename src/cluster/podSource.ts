import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type {
  PodListRequest,
  PodPage,
  PodSelection,
  PodSource,
  PodWatchItem,
  PodWatchRequest,
} from "../engine/ports.ts";
import { rememberAlike, type Alike } from "../spark/pods/alike.ts";
import { decodePod } from "../spark/pods/decodePod.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import { isOfMessages, messagesOrJson } from "./apiMessages.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "./apiRequest.ts";
import { ItemSplitter } from "./bytes/itemSplitter.ts";
import { parseWithoutManagedFields } from "./bytes/parseWithoutManagedFields.ts";
import { fieldOf, parseJson, textOf } from "./json.ts";
import { EventFrames, EventLines } from "./eventStream.ts";
import { isJson } from "./readRefusal.ts";
import { pathOf, podResource, queryOf } from "./resources.ts";
import { BodyLost } from "./transport/body.ts";
import { WatchEvents } from "./watchEvents.ts";

// No limit for the whole: a server may answer with all pods at once although a page was asked for.
const listRules: AnswerRules = { channel: "api", headersMs, silenceMs: 30_000, wholeMs: undefined };

// The server sends a bookmark each minute. One that is half a minute late says that the connection is dead
// in a way that TCP does not see; if it was only late, a new watch from the same place costs little.
const watchRules: AnswerRules = {
  channel: "watch",
  headersMs,
  silenceMs: 90_000,
  wholeMs: undefined,
};

/** The largest pod, or event with one, that is read: etcd takes no object above 1.5 MB. */
const largestPod = 8 << 20;

const badResponse = (detail: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail,
});

export class ApiPodSource implements PodSource {
  readonly #api: ApiClient;
  readonly #alike = rememberAlike();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  // Items are decoded while the bytes arrive: a page of any size never stops the host for longer than one
  // chunk of it takes.
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
      // A page after the first names neither: its token does.
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
    // Pages are read item by item, for which JSON does; a watch is most of the time that a cluster takes.
    accept: verb === "watch" ? messagesOrJson : "application/json",
    body: undefined,
  });
}

async function readPage(
  chunks: AsyncIterable<Buffer>,
  alike: Alike,
): Promise<Result<PodPage, ClusterError>> {
  const splitter = new ItemSplitter(largestPod);
  const pods: PodRecord[] = [];
  let unreadable = 0;
  for await (const chunk of chunks) {
    splitter.push(chunk, (item) => {
      const json = parseWithoutManagedFields(item);
      const pod = json.ok ? decodePod(json.value, alike) : undefined;
      if (pod) pods.push(pod);
      else unreadable += 1;
    });
    if (splitter.isBroken || unreadable > 0) break;
  }
  const envelope = parseJson(splitter.takeEnvelope().toString());
  const metadata = envelope.ok ? fieldOf(envelope.value, "metadata") : undefined;
  const resourceVersion = textOf(metadata, "resourceVersion");
  if (splitter.isBroken || unreadable > 0 || resourceVersion === undefined) {
    return err(badResponse("the answer is not a list of pods"));
  }
  return ok({ pods, resourceVersion, continueToken: textOf(metadata, "continue") });
}
