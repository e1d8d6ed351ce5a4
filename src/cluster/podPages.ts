import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type {
  PassedPodPages,
  PodPageAnswer,
  PodPageRequest,
  PodPages,
  PodPort,
} from "../engine/ports/channels.ts";
import { ignoreAbort, throwIfAborted, waitFor } from "../io/abort.ts";
import { proxiedRules, type AnswerRules, type ApiCall, type ApiClient } from "./apiRequest.ts";
import type { Answered } from "../io/http/exchange.ts";
import { pathOf, podResource } from "./resources.ts";

/**
 * Reads HTTP pages of a pod through the API server's pod proxy. An abort of `read` does not cancel its request: see
 * `UnpagedLists`.
 */
export class ApiPodPages implements PodPages, PassedPodPages {
  readonly #api: ApiClient;
  readonly #answers = new UnpagedLists<Result<unknown, ClusterError>>();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async read(
    pod: PodPort,
    path: string,
    signal: AbortSignal,
  ): Promise<Result<unknown, ClusterError>> {
    const call = pageCall(pod, path);
    if (!call.ok) return call;
    const ask = (whole: AbortSignal): Promise<Result<unknown, ClusterError>> =>
      this.#api.request(call.value, whole);
    return this.#answers.ask(call.value.path, ask, signal);
  }

  async open(
    pod: PodPort,
    { method, path, headers, body }: PodPageRequest,
    signal: AbortSignal,
  ): Promise<Result<PodPageAnswer, ClusterError>> {
    const root = pageCall(pod, "");
    if (!root.ok) return root;
    const { accept = "*/*", ...others } = headers;
    const call: ApiCall = {
      ...root.value,
      ...{ method, accept, body, headers: others, takesAnyStatus: true },
      path: root.value.path + path,
      // For RBAC, a POST to a subresource is the verb "create".
      subject: { ...root.value.subject, verb: method === "POST" ? "create" : "get" },
    };
    const answered = await this.#api.pass(call, passedRules, signal);
    if (!answered.ok) return answered;
    return ok(pageAnswer(answered.value, this.#api.host, root.value.path));
  }
}

/**
 * A busy driver may take long to send the headers. The body has no time limit, because the browser decides when to
 * stop.
 */
const passedRules: AnswerRules = { ...proxiedRules, silenceMs: undefined, wholeMs: undefined };

/**
 * Converts an HTTP response to a page. `prefix` is the path that the API server prepends to links; undefined for a port
 * forward.
 */
export function pageAnswer(
  answered: Answered,
  host: string,
  prefix: string | undefined,
): PodPageAnswer {
  const { response } = answered;
  const headers = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")]],
  );
  return {
    status: response.statusCode ?? 502,
    headers: Object.fromEntries(headers),
    ...{ chunks: response, prefix, host },
    close: () => {
      answered.close();
    },
  };
}

/**
 * Shares requests between callers with the same key. An abort of `signal` ends the wait but not the request, because a
 * Spark driver logs a stack trace if a client closes the connection before the end of the response.
 */
export class UnpagedLists<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /** `ask` receives a signal that never aborts. Closing the cluster connection still cancels its request. */
  async ask(key: string, ask: (whole: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    throwIfAborted(signal);
    const answer = this.#underWay.get(key) ?? this.#begin(key, ask);
    return waitFor(answer, signal);
  }

  #begin(key: string, ask: (whole: AbortSignal) => Promise<T>): Promise<T> {
    const answer = ask(new AbortController().signal).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, answer);
    // Without this handler, the abort on close would be an unhandled rejection if all callers have stopped waiting.
    answer.catch(ignoreAbort);
    return answer;
  }
}

export function pageCall(
  { namespace, name, port }: PodPort,
  path: string,
): Result<ApiCall, ClusterError> {
  const pod = pathOf(podResource, namespace, name);
  if (!pod.ok) return pod;
  return ok({
    method: "GET",
    path: `${pod.value}:${port}/proxy${path}`,
    subject: { verb: "get", resource: "pods/proxy", namespace, name },
    accept: "application/json",
    body: undefined,
    isProxied: true,
  });
}
