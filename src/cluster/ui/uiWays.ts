import type http from "node:http";
import { err, ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { PodPageAnswer, PodPageRequest, PodStream } from "../../engine/ports/channels.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { UiPlace, UiProblem, UiRequest, UiWay } from "../../engine/ports/driverUi.ts";
import type { Disposable } from "../../base/disposable.ts";
import { exchange } from "../../io/http/exchange.ts";
import { pageAnswer } from "../podPages.ts";
import { PodAgent, PodStreamFailed } from "./podSocket.ts";

/**
 * Sends requests to a Spark UI through a port forward, or through the API server's pod proxy if port forwards are
 * blocked.
 */
export class UiWays implements Disposable {
  readonly #request: UiRequest;
  readonly #clock: Clock;
  readonly #agent: http.Agent;
  readonly #life = new AbortController();
  /** The route that the next request tries first: the one that last reached the pod. */
  #way: UiWay = "forward";
  #answered: UiWay | undefined;

  constructor(request: UiRequest, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
    this.#agent = new PodAgent(() => this.#dial());
  }

  get way(): UiWay | undefined {
    return this.#answered;
  }

  dispose(): void {
    this.#life.abort();
    this.#agent.destroy();
  }

  async send(
    request: PodPageRequest,
    signal: AbortSignal,
  ): Promise<Result<PodPageAnswer, UiProblem>> {
    const place = await this.#request.place(signal);
    if (!place.ok) return err({ kind: "failed", error: place.error });
    const first = await this.#sendBy(this.#way, place.value, request, signal);
    if (first.ok || !isBlocked(first.error)) return this.#result(this.#way, place.value, first);
    const other = this.#way === "forward" ? "api" : "forward";
    const second = await this.#sendBy(other, place.value, request, signal);
    if (!second.ok && isBlocked(second.error)) {
      const isForbidden = first.error.kind === "forbidden" && second.error.kind === "forbidden";
      const { namespace } = place.value.pod;
      return err(
        isForbidden
          ? { kind: "forbidden", namespace }
          : { kind: "failed", error: isForbiddenOnly(first.error) ? second.error : first.error },
      );
    }
    this.#way = other;
    this.#request.log(`Spark UI: ${first.error.detail}; using the other route`);
    return this.#result(other, place.value, second);
  }

  #result(
    way: UiWay,
    { pod }: UiPlace,
    result: Result<PodPageAnswer, ClusterError>,
  ): Result<PodPageAnswer, UiProblem> {
    if (result.ok) {
      this.#answered = way;
      return result;
    }
    const { error } = result;
    return err(isRefusedByPod(error) ? { kind: "notListening", pod } : { kind: "failed", error });
  }

  #sendBy(
    way: UiWay,
    place: UiPlace,
    request: PodPageRequest,
    signal: AbortSignal,
  ): Promise<Result<PodPageAnswer, ClusterError>> {
    return way === "api"
      ? place.pages.open(place.pod, request, signal)
      : this.#forward(place, request, signal);
  }

  async #forward(
    { pod }: UiPlace,
    { method, path, headers, body }: PodPageRequest,
    signal: AbortSignal,
  ): Promise<Result<PodPageAnswer, ClusterError>> {
    const host = `127.0.0.1:${pod.port}`;
    const ofBody = body && {
      "content-type": body.contentType,
      "content-length": String(Buffer.byteLength(body.text)),
    };
    const options = {
      ...{ protocol: "http:", agent: this.#agent, method, path },
      headers: { ...headers, ...ofBody, host },
    };
    for (let attempt = 0; ; attempt++) {
      const sent = await exchange({ options, body: body?.text }, limits, this.#clock, signal);
      if (sent.kind === "answered") return ok(pageAnswer(sent, host, undefined));
      if (sent.kind === "upgraded") {
        sent.socket.destroy();
        return err({
          kind: "badResponse",
          status: 101,
          detail: "the pod switched protocols unexpectedly",
        });
      }
      if (sent.cause instanceof PodStreamFailed) return err(sent.cause.error);
      // The first attempt may have used a keep-alive connection to a driver that has restarted. A POST is not retried.
      if (attempt > 0 || method === "POST") {
        return err({ kind: "badResponse", status: undefined, detail: sent.cause.message });
      }
    }
  }

  /** Resolves the current driver pod and opens a stream to it. Called for each new connection. */
  async #dial(): Promise<Result<PodStream, ClusterError>> {
    const { signal } = this.#life;
    const place = await this.#request.place(signal);
    return place.ok ? place.value.ports.open(place.value.pod, signal) : place;
  }
}

const limits = { connectMs: 30_000, headersMs: 300_000, wholeMs: undefined };

/** True if the request did not reach the pod: a permission is missing, or a proxy does not support WebSocket. */
const isBlocked = (error: ClusterError): boolean =>
  error.kind === "forbidden" ||
  (error.kind === "badResponse" && /does not support WebSocket/.test(error.detail));

const isForbiddenOnly = (error: ClusterError): boolean => error.kind === "forbidden";

/** True if the pod refused the connection. The node and the API server report this only as text. */
const isRefusedByPod = (error: ClusterError): boolean =>
  error.kind === "badResponse" && /connection refused/i.test(error.detail);
