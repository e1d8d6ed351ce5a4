import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { LogItem, LogRequest, LogSource } from "../engine/ports/logs.ts";
import { isNotStarted, isUnknownToNode } from "../spark/logs/nodeWords.ts";
import { throwIfAborted } from "../io/abort.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "./apiRequest.ts";
import { LogLineReader } from "./bytes/logLineReader.ts";
import { fieldAt, nonEmptyTextAt } from "../base/json.ts";
import { isDnsLabel } from "../spark/kubernetesNames.ts";
import { badName, pathOf, podResource, queryOf } from "./resources.ts";
import { BodyLost } from "../io/http/body.ts";
import { FairQueue } from "../engine/eventLoop.ts";

// A container may print nothing for hours, and the headers may arrive only with the first line. TCP keep-alive detects
// a dead connection.
const followRules: AnswerRules = {
  channel: "logs",
  headersMs: undefined,
  silenceMs: undefined,
  wholeMs: undefined,
};
const readRules: AnswerRules = { ...followRules, headersMs, silenceMs: 60_000 };

const maxKubeletErrorLength = 1_000;

/**
 * Reads container logs. For a container that has not started, the error is `badResponse` with status 400 and the
 * server's message. For any other invalid request (no such container, no previous run), it is `invalid`.
 */
export class ApiLogSource implements LogSource {
  readonly #api: ApiClient;
  readonly #turns = new FairQueue();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async *readLog(request: LogRequest, signal: AbortSignal): AsyncGenerator<LogItem> {
    const call = callOf(request);
    if (!call.ok) {
      yield { kind: "failed", error: call.error };
      return;
    }
    const rules = request.follow ? followRules : readRules;
    // Yield to the event loop: a TLS handshake takes CPU time, and hundreds of logs may be opened at once.
    await this.#turns.next();
    throwIfAborted(signal);
    const missing = await this.#findMissing(request, signal);
    if (missing) {
      yield { kind: "failed", error: missing };
      return;
    }
    const answer = await this.#api.open(call.value, rules, signal);
    if (!answer.ok) {
      yield { kind: "failed", error: asSaidByNode(answer.error) };
      return;
    }
    const reader = new LogLineReader();
    const lines: LogItem = { kind: "lines", take: () => reader.take() };
    try {
      yield lines;
      for await (const chunk of answer.value.chunks) {
        // Many logs may deliver at once; yield to the event loop between chunks.
        await this.#turns.next();
        reader.push(chunk);
        while (reader.hasMore) yield lines;
      }
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      // Drop the incomplete last line: a caller that resumes receives it whole.
      yield { kind: "failed", error: this.#api.lossOf(error, call.value) };
      return;
    } finally {
      answer.value.close();
    }
    const unfinished = reader.end();
    if (unfinished?.timestamp === "") {
      const { text } = unfinished;
      if (!isBegunStamp(text)) yield { kind: "failed", error: kubeletErrorOf(text) };
    } else if (unfinished) {
      yield { kind: "lines", take: () => [{ ...unfinished, isUnfinished: true }] };
    }
  }

  /**
   * Checks that the pod still has the requested uid, because logs are read by pod name. Skips the check if the user
   * may not get pods.
   */
  async #findMissing(
    { namespace, pod, uid }: LogRequest,
    signal: AbortSignal,
  ): Promise<ClusterError | undefined> {
    const path = pathOf(podResource, namespace, pod);
    if (uid === undefined || !path.ok) return undefined;
    const call: ApiCall = {
      method: "GET",
      path: path.value,
      subject: { verb: "get", resource: "pods", namespace, name: pod },
      accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=1,application/json",
      body: undefined,
    };
    const found = await this.#api.request(call, signal);
    if (!found.ok) return found.error.kind === "forbidden" ? undefined : found.error;
    if (nonEmptyTextAt(fieldAt(found.value, "metadata"), "uid") === uid) return undefined;
    const detail = `pods "${pod}" not found: another pod has this name now`;
    return { kind: "notFound", resource: "pods", name: pod, detail };
  }
}

/**
 * Returns the error for a message that the kubelet sends instead of log lines, while a container is replaced and its
 * log files are deleted. The message has no timestamp and no line feed.
 */
const kubeletErrorOf = (text: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail: text.slice(0, maxKubeletErrorLength),
});

/** True if the text is the start of a truncated timestamp. */
const isBegunStamp = (text: string): boolean => /^\d{1,4}(?:-[\dT:.-]*)?$/.test(text);

function callOf(request: LogRequest): Result<ApiCall, ClusterError> {
  const { namespace, pod, container, follow, previous, tailLines, sinceTime } = request;
  const path = pathOf(podResource, namespace, pod);
  if (!path.ok) return path;
  if (container !== undefined && !isDnsLabel(container)) {
    return { ok: false, error: badName("container", container) };
  }
  const query = queryOf({
    container,
    follow: follow ? "true" : undefined,
    previous: previous ? "true" : undefined,
    sinceTime,
    tailLines: tailLines === undefined ? undefined : String(tailLines),
    timestamps: "true",
  });
  return ok({
    method: "GET",
    path: `${path.value}/log${query}`,
    subject: { verb: "get", resource: "pods/log", namespace, name: pod },
    accept: "*/*",
    body: undefined,
  });
}

// Maps the kubelet's error about a container that has not started or is unknown to it to `badResponse`, because the
// request is valid and can be retried.
function asSaidByNode(error: ClusterError): ClusterError {
  const { kind, detail } = error;
  if (kind === "invalid" && (isNotStarted(detail) || isUnknownToNode(detail))) {
    return { kind: "badResponse", status: 400, detail };
  }
  return kind === "notFound" && isUnknownToNode(detail)
    ? { kind: "badResponse", status: 404, detail }
    : error;
}
