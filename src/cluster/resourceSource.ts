import { PagedList } from "../base/pagedList.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type {
  ResourceEvent,
  ResourceKind,
  ResourceList,
  ResourceSource,
  ResourceWatchItem,
} from "../engine/ports/resources.ts";
import { decodeOperatorResource, type OperatorResource } from "../spark/pods/operatorResource.ts";
import { headersMs, type AnswerRules, type ApiCall, type ApiClient } from "./apiRequest.ts";
import { ItemSplitter } from "./bytes/itemSplitter.ts";
import { LineSplitter } from "./bytes/lineSplitter.ts";
import { parseWithoutManagedFields } from "./bytes/parseWithoutManagedFields.ts";
import { fieldAt, nonEmptyTextAt, parseJson } from "../base/json.ts";
import { findResource, pathOf, queryOf, rbacName } from "./resources.ts";
import { BodyLost } from "../io/http/body.ts";

const listRules: AnswerRules = { channel: "api", headersMs, silenceMs: 30_000, wholeMs: undefined };
// The server sends a bookmark about every minute, so 90 s of silence mean a dead connection.
const watchRules: AnswerRules = { ...listRules, channel: "watch", silenceMs: 90_000 };
const watchSeconds = 480;
const pageSize = 250;
/** Size limit of one resource in bytes. etcd rejects objects above 1.5 MB by default. */
const largestResource = 8 << 20;

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
    const resources: OperatorResource[] = [];
    const pages = new PagedList();
    let token: string | undefined;
    for (;;) {
      const query = { limit: String(pageSize), continue: token };
      const call = callOf(kind, namespace, "list", query);
      if (!call.ok) return call;
      const answer = await this.#api.open(call.value, listRules, signal);
      if (!answer.ok) return answer;
      const splitter = new ItemSplitter(largestResource);
      try {
        for await (const chunk of answer.value.chunks) {
          let items = 0;
          splitter.push(chunk, (item) => {
            items += 1;
            const json = parseWithoutManagedFields(item);
            const resource = json.ok ? decode(kind, json.value) : undefined;
            if (resource) resources.push(resource);
          });
          const refusal = pages.take(items, chunk.length);
          if (refusal !== undefined) return err(unreadable(refusal));
        }
      } catch (error) {
        if (!(error instanceof BodyLost)) throw error;
        return err(this.#api.lossOf(error, call.value));
      }
      const envelope = parseJson(splitter.takeEnvelope().toString());
      const metadata = envelope.ok ? fieldAt(envelope.value, "metadata") : undefined;
      const resourceVersion = nonEmptyTextAt(metadata, "resourceVersion");
      if (splitter.isBroken || resourceVersion === undefined) {
        return err(unreadable("the answer is not a list"));
      }
      token = nonEmptyTextAt(metadata, "continue");
      if (!token) return ok({ resources, resourceVersion });
      const refusal = pages.follow(token);
      if (refusal !== undefined) return err(unreadable(refusal));
    }
  }

  async *watchResources(
    kind: ResourceKind,
    namespace: string | undefined,
    resourceVersion: string,
    signal: AbortSignal,
  ): AsyncGenerator<ResourceWatchItem> {
    const call = callOf(kind, namespace, "watch", {
      watch: "true",
      allowWatchBookmarks: "true",
      timeoutSeconds: String(watchSeconds),
      resourceVersion,
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
    const lines = new LineSplitter(largestResource);
    let batch: Batch = { events: [], resourceVersion: undefined };
    let failure: ClusterError | undefined;
    const read = (line: Buffer, isCut: boolean): void => {
      if (failure !== undefined || line.length === 0) return;
      const json = isCut ? err("tooLong" as const) : parseWithoutManagedFields(line);
      if (!json.ok) failure = unreadable("a line of the watch is not JSON");
      else if (nonEmptyTextAt(json.value, "type") === "ERROR") {
        failure = this.#api.statusError(fieldAt(json.value, "object"), call.value.subject);
      } else batch = withLine(batch, kind, json.value);
    };
    try {
      for await (const chunk of answer.value.chunks) {
        lines.push(chunk, read);
        if (batch.events.length > 0 || batch.resourceVersion !== undefined) {
          yield { kind: "events", ...batch };
          batch = { events: [], resourceVersion: undefined };
        }
        if (failure === undefined) continue;
        yield { kind: "failed", error: failure };
        return;
      }
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      yield { kind: "failed", error: this.#api.lossOf(error, call.value) };
    } finally {
      answer.value.close();
    }
  }
}

interface Batch {
  readonly events: readonly ResourceEvent[];
  readonly resourceVersion: string | undefined;
}

function withLine(batch: Batch, kind: ResourceKind, json: unknown): Batch {
  const object = fieldAt(json, "object");
  const resourceVersion = nonEmptyTextAt(fieldAt(object, "metadata"), "resourceVersion");
  const resource = nonEmptyTextAt(json, "type") === "BOOKMARK" ? undefined : decode(kind, object);
  if (resource === undefined) {
    return { ...batch, resourceVersion: resourceVersion ?? batch.resourceVersion };
  }
  const isDeletion = nonEmptyTextAt(json, "type") === "DELETED";
  const event: ResourceEvent = { kind: isDeletion ? "deleted" : "changed", resource };
  return { events: [...batch.events, event], resourceVersion };
}

const decode = ({ apiVersion, kind }: ResourceKind, json: unknown): OperatorResource | undefined =>
  decodeOperatorResource(apiVersion, kind, json);

const unreadable = (why: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail: `custom resources cannot be read: ${why}`,
});

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
