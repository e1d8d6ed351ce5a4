import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { Clock, Random } from "../engine/ports/clock.ts";
import { linkSignals, throwIfAborted } from "../io/abort.ts";
import type { CredentialAccess, Credentials } from "./credentials/credentials.ts";
import { parseJson } from "../base/json.ts";
import { isJson, readRefusal } from "./readRefusal.ts";
import type { Redactor } from "./redactor.ts";
import { ServerTime } from "./serverTime.ts";
import {
  errorOf,
  isDisruptionBudget,
  isStatus,
  refusalOf,
  type RequestSubject,
} from "./statusError.ts";
import { maxWaitMs, Throttle } from "./throttle.ts";
import { BodyLost, chunksOf, readAll } from "../io/http/body.ts";
import { inflated } from "../io/http/inflated.ts";
import { endpointText } from "../io/http/endpoint.ts";
import type { Answered, HttpCall, ConnectionLost, Upgraded } from "../io/http/exchange.ts";
import { describeLoss, isBrokenConnection } from "./transport/lossWords.ts";
import type { Channel, Transport } from "./transport/transport.ts";

export interface ApiCall {
  readonly method: HttpCall["method"];
  readonly path: string;
  readonly subject: RequestSubject;
  readonly accept: string;
  readonly body: { readonly contentType: string; readonly text: string } | undefined;
  /** True if the API server proxies the request to a pod. A refusal may then come from the pod. */
  readonly isProxied?: boolean;
  /**
   * True to accept any status if the response is not JSON. A JSON response with an error status is still treated as a
   * refusal by the API server.
   */
  readonly takesAnyStatus?: boolean;
  /** Extra headers, such as those of a protocol upgrade. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Timeouts of a response, in ms. Undefined means no limit. */
export interface AnswerRules {
  readonly channel: Channel;
  /** Until the response headers arrive. */
  readonly headersMs: number | undefined;
  /** Between two chunks of the body. */
  readonly silenceMs: number | undefined;
  /** For the whole response. */
  readonly wholeMs: number | undefined;
}

/** A response whose headers have arrived. `chunks` throws BodyLost if the connection breaks. */
export interface ApiAnswer {
  readonly contentType: string;
  readonly chunks: AsyncIterable<Buffer>;
  /** Releases the connection. Required if the caller stops before the first chunk; harmless after the last one. */
  readonly close: () => void;
}

export interface ApiOptions {
  readonly server: URL;
  readonly credentials: Credentials;
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
  /** Timeout in ms for the response headers of a single request. Undefined means the default. */
  readonly requestMs: number | undefined;
}

export const headersMs = 30_000;
const wholeMs = 60_000;
/**
 * Timeouts for requests to a pod. They are long because a busy driver may pause for minutes, and logs an error if the
 * client closes the connection before the response.
 */
export const proxiedRules: AnswerRules = {
  channel: "api",
  headersMs: 300_000,
  silenceMs: 300_000,
  wholeMs: 600_000,
};
const largestAnswer = 64 << 20;
/**
 * Size limit of a pod's response in bytes. A pod may be hostile, and parsing its response blocks the event loop. A
 * driver's environment takes about 0.5 MB.
 */
const largestPage = 4 << 20;
const maxWaits = 3;

/**
 * HTTP client for the API server. Adds credentials, obeys Retry-After, and converts each refusal to a ClusterError.
 */
export class ApiClient implements Disposable {
  readonly #around: ApiOptions;
  readonly #throttle: Throttle;
  readonly #serverTime: ServerTime;
  readonly #life = new AbortController();
  readonly #singleCall: AnswerRules;

  constructor(around: ApiOptions) {
    this.#around = around;
    const { requestMs = headersMs } = around;
    this.#singleCall = {
      channel: "api",
      headersMs: requestMs,
      silenceMs: undefined,
      wholeMs: Math.max(wholeMs, 2 * requestMs),
    };
    this.#throttle = new Throttle(around.clock, around.random);
    this.#serverTime = new ServerTime(around.clock);
  }

  /** Returns the server's time in epoch ms, estimated from the Date headers of its responses. */
  now(): number {
    return this.#serverTime.now();
  }

  /** Aborts all running requests with an AbortError. */
  dispose(): void {
    this.#life.abort();
    this.#around.credentials.dispose();
    this.#around.transport.dispose();
  }

  /**
   * Sends a request and parses the JSON response. Retries a GET once if the connection breaks while the response is
   * read.
   */
  request(call: ApiCall, signal: AbortSignal): Promise<Result<unknown, ClusterError>> {
    const limit = call.isProxied === true ? largestPage : largestAnswer;
    const read = async ({
      contentType,
      chunks,
    }: ApiAnswer): Promise<Result<unknown, ClusterError>> =>
      readJson(contentType, await readAll(chunks, limit), limit);
    return this.requestAs(call, read, signal);
  }

  /** Like `request`, but `read` consumes the response as a stream. A retry calls `read` again. */
  async requestAs<T>(
    call: ApiCall,
    read: (answer: ApiAnswer) => Promise<Result<T, ClusterError>>,
    signal: AbortSignal,
  ): Promise<Result<T, ClusterError>> {
    for (let attempt = 0; ; attempt++) {
      const rules = call.isProxied === true ? proxiedRules : this.#singleCall;
      const opened = await this.open(call, rules, signal);
      if (!opened.ok) return opened;
      try {
        return await read(opened.value);
      } catch (error) {
        if (!(error instanceof BodyLost)) throw error;
        const mayRepeat = call.method === "GET" && attempt === 0;
        if (!mayRepeat || !isBrokenConnection(error.cause)) return err(this.lossOf(error, call));
      }
    }
  }

  /**
   * Sends a request and returns its response once the server has accepted the request. Retries a write only if the
   * server cannot have executed it.
   */
  async open(
    call: ApiCall,
    rules: AnswerRules,
    signal: AbortSignal,
  ): Promise<Result<ApiAnswer, ClusterError>> {
    const owned = new DisposableStore();
    const linked = owned.add(linkSignals(signal, this.#life.signal));
    let answer: Result<ApiAnswer, ClusterError> | undefined;
    try {
      answer = await this.#open(call, rules, owned, linked.signal);
      return answer;
    } finally {
      if (answer?.ok !== true) owned.dispose();
    }
  }

  /** Sends a request and returns the raw response: the body is still encoded, and all headers are included. */
  async pass(
    call: ApiCall,
    rules: AnswerRules,
    signal: AbortSignal,
  ): Promise<Result<Answered, ClusterError>> {
    const linked = linkSignals(signal, this.#life.signal);
    try {
      const exchange = await this.#exchange(call, rules, linked.signal);
      if (!exchange.ok) return exchange;
      if (exchange.value.kind === "answered") return ok(exchange.value);
      exchange.value.socket.destroy();
      return err(unaskedUpgrade(exchange.value));
    } finally {
      linked.dispose();
    }
  }

  /** Sends an upgrade request. Returns the connection once the server has switched protocols. */
  async upgrade(
    call: ApiCall,
    rules: AnswerRules,
    signal: AbortSignal,
  ): Promise<Result<Upgraded, ClusterError>> {
    const linked = linkSignals(signal, this.#life.signal);
    try {
      const exchange = await this.#exchange(call, rules, linked.signal);
      if (!exchange.ok) return exchange;
      if (exchange.value.kind === "upgraded") return ok(exchange.value);
      exchange.value.close();
      const detail = "the server, or a proxy in front of it, does not support WebSocket";
      return err({ kind: "badResponse", status: exchange.value.response.statusCode, detail });
    } finally {
      linked.dispose();
    }
  }

  /** The host and port of the server's URL. */
  get host(): string {
    return this.#around.server.host;
  }

  /** Aborts when this client is disposed. */
  get ended(): AbortSignal {
    return this.#life.signal;
  }

  /** Logs a lost connection and returns the error for its request. */
  lossOf(
    lost: Pick<ConnectionLost, "cause"> & Partial<ConnectionLost>,
    call: ApiCall,
  ): ClusterError {
    const { server, redactor, log } = this.#around;
    const { cause, certificate, sent = true } = lost;
    const detail = redactor.redact(describeLoss({ cause, certificate }, server));
    log(`${call.method} ${call.path}: ${detail}`);
    const requestSent = sent && call.method !== "GET";
    return { kind: "unreachable", server: endpointText(server), detail, requestSent };
  }

  /** Returns the error for the Status in an ERROR event of a watch. */
  statusError(status: unknown, subject: RequestSubject): ClusterError {
    const { server, redactor } = this.#around;
    const refusal = refusalOf(status);
    const detail = redactor.redact(refusal.detail);
    return errorOf({ ...refusal, detail }, subject, endpointText(server), redactor);
  }

  async #open(
    call: ApiCall,
    rules: AnswerRules,
    owned: Disposable,
    signal: AbortSignal,
  ): Promise<Result<ApiAnswer, ClusterError>> {
    const exchange = await this.#exchange(call, rules, signal);
    if (!exchange.ok) return exchange;
    const answered = exchange.value;
    if (answered.kind === "upgraded") {
      answered.socket.destroy();
      return err(unaskedUpgrade(answered));
    }
    const { headers } = answered.response;
    const sent = chunksOf(answered, rules.silenceMs, this.#around.clock, signal);
    const chunks = ownedBy(owned, inflated(sent, headers["content-encoding"]));
    const close = (): void => {
      owned.dispose();
      answered.close();
    };
    return ok({ contentType: headers["content-type"] ?? "", chunks, close });
  }

  async #exchange(
    call: ApiCall,
    rules: AnswerRules,
    signal: AbortSignal,
  ): Promise<Result<Answered | Upgraded, ClusterError>> {
    const { server, credentials, transport, redactor, clock } = this.#around;
    let waits = 0;
    let hasRenewed = false;
    let hasRepeated = false;
    let access = await credentials.access(signal);
    for (;;) {
      if (!access.ok) return access;
      const free = await this.#throttle.wait(signal);
      if (!free.ok) return free;
      throwIfAborted(signal);
      const request = withHeaders(call, access.value);
      const { certificate } = access.value;
      const exchange = await transport.send(request, certificate, rules, signal);
      if (exchange.kind === "lost") {
        const mayRepeat = call.method === "GET" || !exchange.sent;
        if (hasRepeated || !mayRepeat || !isBrokenConnection(exchange.cause)) {
          return err(this.lossOf(exchange, call));
        }
        hasRepeated = true;
        transport.dropIdle();
        continue;
      }
      if (exchange.kind === "upgraded") return ok(exchange);
      const status = exchange.response.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        this.#serverTime.heard(exchange.response.headers.date);
        return ok(exchange);
      }
      const type = exchange.response.headers["content-type"] ?? "";
      if (call.takesAnyStatus === true && !isJson(type)) return ok(exchange);
      const refusal = await readRefusal(exchange, redactor, clock, signal);
      // A 401 or 403 from the pod is unrelated to the user's permissions in the cluster.
      if (
        call.isProxied === true &&
        (status === 401 || status === 403) &&
        !isStatus(refusal.body)
      ) {
        return err({ kind: "badResponse", status, detail: refusal.detail });
      }
      if (status === 401 && !hasRenewed) {
        hasRenewed = true;
        const renewed = await credentials.renew(access.value, signal);
        if (!renewed.ok) return renewed;
        if (renewed.value) {
          access = ok(renewed.value);
          continue;
        }
      }
      if (status === 429 && !isDisruptionBudget(refusal.body)) {
        // After a 429 the server has not executed the request, so a write may be retried too. Streams are not retried
        // here, because their callers have their own back-off.
        const waitMs = refusal.retryAfterMs ?? 1000 * 2 ** waits;
        this.#throttle.pause(waitMs);
        if (rules.channel === "api" && waits < maxWaits && waitMs <= maxWaitMs) {
          waits += 1;
          continue;
        }
      }
      return err(errorOf(refusal, call.subject, endpointText(server), redactor));
    }
  }
}

const unaskedUpgrade = ({ response }: Upgraded): ClusterError => ({
  kind: "badResponse",
  status: response.statusCode,
  detail: "the server switched protocols unexpectedly",
});

function withHeaders(
  { method, path, accept, body, headers }: ApiCall,
  access: CredentialAccess,
): HttpCall {
  const ofBody = body && {
    "content-type": body.contentType,
    "content-length": String(Buffer.byteLength(body.text)),
  };
  return {
    method,
    path,
    body: body?.text,
    headers: { accept, ...headers, ...ofBody, ...access.headers },
  };
}

function readJson(
  contentType: string,
  body: Buffer | undefined,
  limit: number,
): Result<unknown, ClusterError> {
  const refuse = (detail: string): Result<never, ClusterError> =>
    err({ kind: "badResponse", status: undefined, detail });
  if (body === undefined) return refuse(`the response is larger than ${limit >> 20} MB`);
  if (!isJson(contentType))
    return refuse(`the content type of the response is ${contentType || "not set"}, not JSON`);
  const json = parseJson(body.toString());
  return json.ok ? json : refuse("the response is not valid JSON");
}

async function* ownedBy(owner: Disposable, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } finally {
    owner.dispose();
  }
}
