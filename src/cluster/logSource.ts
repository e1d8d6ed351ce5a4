import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { LogItem, LogRequest, LogSource } from "../engine/ports.ts";
import { isNotStarted, isUnknownToNode } from "../spark/logs/nodeWords.ts";
import { throwIfAborted } from "./abort.ts";
import { type AnswerRules, type ApiCall, type ApiClient, headersMs } from "./apiRequest.ts";
import { LogLineReader } from "./bytes/logLineReader.ts";
import { fieldOf, textOf } from "./json.ts";
import { badName, isLabelName, pathOf, podResource, queryOf } from "./resources.ts";
import { BodyLost } from "./transport/body.ts";
import { Turns } from "./turns.ts";

// A container that prints nothing for hours is no fault, and nothing promises that the answer begins before
// its first line. A dead connection is found by TCP.
const followRules: AnswerRules = {
  channel: "logs",
  headersMs: undefined,
  silenceMs: undefined,
  wholeMs: undefined,
};
const readRules: AnswerRules = { ...followRules, headersMs, silenceMs: 60_000 };

const longestExcuse = 1_000;

/**
 * A container that has not started yet gives `badResponse` with the status 400 and the server's words;
 * any other fault in what was asked for (no such container, no run before the last) gives `invalid`.
 */
export class ApiLogSource implements LogSource {
  readonly #api: ApiClient;
  readonly #turns = new Turns();

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
    // A handshake takes a moment, and those of hundreds of logs are asked for at once.
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
        // What many logs bring at once, and what is done with it, must not hold up the window.
        await this.#turns.next();
        reader.push(chunk);
        while (reader.hasMore) yield lines;
      }
    } catch (error) {
      if (!(error instanceof BodyLost)) throw error;
      // What came of the last line is dropped: whoever resumes gets it whole.
      yield { kind: "failed", error: this.#api.lossOf(error, call.value) };
      return;
    } finally {
      answer.value.close();
    }
    const unfinished = reader.end();
    if (unfinished?.timestamp === "") {
      const { text } = unfinished;
      if (!isBegunStamp(text)) yield { kind: "failed", error: excuseOf(text) };
    } else if (unfinished) {
      yield { kind: "lines", take: () => [{ ...unfinished, isUnfinished: true }] };
    }
  }

  /** Logs are read by the names of their pods. Who may read logs but no pods has nothing else to go by. */
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
    if (textOf(fieldOf(found.value, "metadata"), "uid") === uid) return undefined;
    const detail = `pods "${pod}" not found: another pod has this name now`;
    return { kind: "notFound", resource: "pods", name: pod, detail };
  }
}

/**
 * What a node says where it cannot read the log, or not on, as if the container had said it last: the container
 * is just being replaced, its files are gone. Lines of the log have a time stamp, and the node's words no end.
 */
const excuseOf = (text: string): ClusterError => ({
  kind: "badResponse",
  status: undefined,
  detail: text.slice(0, longestExcuse),
});

/** All that came of a line that was cut off. */
const isBegunStamp = (text: string): boolean => /^\d{1,4}(?:-[\dT:.-]*)?$/.test(text);

function callOf(request: LogRequest): Result<ApiCall, ClusterError> {
  const { namespace, pod, container, follow, previous, tailLines, sinceTime } = request;
  const path = pathOf(podResource, namespace, pod);
  if (!path.ok) return path;
  if (container !== undefined && !isLabelName(container)) {
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

// No fault of the request: it can be asked again.
function asSaidByNode(error: ClusterError): ClusterError {
  const { kind, detail } = error;
  if (kind === "invalid" && (isNotStarted(detail) || isUnknownToNode(detail))) {
    return { kind: "badResponse", status: 400, detail };
  }
  return kind === "notFound" && isUnknownToNode(detail)
    ? { kind: "badResponse", status: 404, detail }
    : error;
}
