import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { Clock, Random } from "../engine/ports.ts";
import { linkSignals, throwIfAborted } from "./abort.ts";
import type { Access, Credentials } from "./credentials/credentials.ts";
import { parseJson } from "./json.ts";
import { isJson, readRefusal } from "./readRefusal.ts";
import type { Redactor } from "./redactor.ts";
import { ServerTime } from "./serverTime.ts";
import { errorOf, isDisruptionBudget, isStatus, refusalOf, type Subject } from "./statusError.ts";
import { longestWaitMs, Throttle } from "./throttle.ts";
import { BodyLost, chunksOf, readAll } from "./transport/body.ts";
import { describeServer } from "./transport/endpoint.ts";
import type { Answered, HttpCall, Lost, Upgraded } from "./transport/exchange.ts";
import { describeLoss, isBrokenConnection } from "./transport/lossWords.ts";
import type { Channel, Transport } from "./transport/transport.ts";

/** One request to the API. */
export interface ApiCall {
  readonly method: HttpCall["method"];
  readonly path: string;
  readonly subject: Subject;
  readonly accept: string;
  readonly body: { readonly contentType: string; readonly text: string } | undefined;
  /** It is passed on to a pod, which may refuse it by itself. */
  readonly isProxied?: boolean;
  /** For a call that asks for another protocol. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** How long to wait for an answer; undefined: as long as it takes. */
export interface AnswerRules {
  readonly channel: Channel;
  /** For the head of the answer. */
  readonly headersMs: number | undefined;
  /** For the next bytes of it. */
  readonly silenceMs: number | undefined;
  /** For all of it. */
  readonly wholeMs: number | undefined;
}

/** An answer that the server has begun to give. Its bytes end with BodyLost if the connection breaks. */
export interface ApiAnswer {
  readonly contentType: string;
  readonly chunks: AsyncIterable<Buffer>;
  /** For who may leave before the first of the bytes; harmless after the last. */
  close(): void;
}

export interface ApiSurroundings {
  readonly server: URL;
  readonly credentials: Credentials;
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
  /** How long a single request waits for the head of its answer; undefined: as long as is usual. */
  readonly requestMs: number | undefined;
}

export const headersMs = 30_000;
const wholeMs = 60_000;
const largestAnswer = 64 << 20;
const mostWaits = 3;

/** Speaks to the API server: lets itself in, waits when asked to, and turns each refusal into a ClusterError. */
export class ApiClient implements Disposable {
  readonly #around: ApiSurroundings;
  readonly #throttle: Throttle;
  readonly #serverTime: ServerTime;
  readonly #life = new AbortController();
  readonly #singleCall: AnswerRules;

  constructor(around: ApiSurroundings) {
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

  /** The server's time, as far as it has told. */
  now(): number {
    return this.#serverTime.now();
  }

  /** Ends all that is under way with an AbortError. */
  dispose(): void {
    this.#life.abort();
    this.#around.credentials.dispose();
    this.#around.transport.dispose();
  }

  /** Sends a request and reads its answer, which must be JSON. A read whose answer broke off is repeated once. */
  request(call: ApiCall, signal: AbortSignal): Promise<Result<unknown, ClusterError>> {
    const read = async ({
      contentType,
      chunks,
    }: ApiAnswer): Promise<Result<unknown, ClusterError>> =>
      readJson(contentType, await readAll(chunks, largestAnswer));
    return this.requestAs(call, read, signal);
  }

  /** The same for an answer that is read while it arrives; when it is repeated, `read` begins anew. */
  async requestAs<T>(
    call: ApiCall,
    read: (answer: ApiAnswer) => Promise<Result<T, ClusterError>>,
    signal: AbortSignal,
  ): Promise<Result<T, ClusterError>> {
    for (let attempt = 0; ; attempt++) {
      const opened = await this.open(call, this.#singleCall, signal);
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
   * Sends a request and returns its answer as soon as the server has accepted it. Nothing is sent twice
   * that may have been carried out, but for reads.
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

  /** Sends a request for another protocol and returns the connection once the server has changed to it. */
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
      const detail = "the server, or a proxy before it, does not change to WebSocket";
      return err({ kind: "badResponse", status: exchange.value.response.statusCode, detail });
    } finally {
      linked.dispose();
    }
  }

  /** Aborts when the connection to the cluster is disposed. */
  get ended(): AbortSignal {
    return this.#life.signal;
  }

  /** The error of an answer that broke off. */
  lossOf(lost: Pick<Lost, "cause"> & Partial<Lost>, call: ApiCall): ClusterError {
    const { server, redactor, log } = this.#around;
    const { cause, certificate, sent = true } = lost;
    const detail = redactor.redact(describeLoss({ cause, certificate }, server));
    log(`${call.method} ${call.path}: ${detail}`);
    const requestSent = sent && call.method !== "GET";
    return { kind: "unreachable", server: describeServer(server), detail, requestSent };
  }

  /** What the Status in an ERROR event of a watch means. */
  statusError(status: unknown, subject: Subject): ClusterError {
    const refusal = refusalOf(status);
    const detail = this.#around.redactor.redact(refusal.detail);
    return errorOf({ ...refusal, detail }, subject, describeServer(this.#around.server));
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
      const detail = "the server changed to a protocol that nobody asked for";
      return err({ kind: "badResponse", status: answered.response.statusCode, detail });
    }
    const chunks = ownedBy(owned, chunksOf(answered, rules.silenceMs, this.#around.clock, signal));
    const close = (): void => {
      owned.dispose();
      answered.close();
    };
    return ok({ contentType: answered.response.headers["content-type"] ?? "", chunks, close });
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
      const refusal = await readRefusal(exchange, redactor, clock, signal);
      // What a pod refuses says nothing of what the cluster does.
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
        // Who is too busy has not carried out anything, so a write may be repeated, too. Streams are left to
        // their owners, who have a pace of their own.
        const waitMs = refusal.retryAfterMs ?? 1000 * 2 ** waits;
        this.#throttle.pause(waitMs);
        if (rules.channel === "api" && waits < mostWaits && waitMs <= longestWaitMs) {
          waits += 1;
          continue;
        }
      }
      return err(errorOf(refusal, call.subject, describeServer(server)));
    }
  }
}

function withHeaders({ method, path, accept, body, headers }: ApiCall, access: Access): HttpCall {
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

function readJson(contentType: string, body: Buffer | undefined): Result<unknown, ClusterError> {
  const refuse = (detail: string): Result<never, ClusterError> =>
    err({ kind: "badResponse", status: undefined, detail });
  if (body === undefined) return refuse(`the answer has more than ${largestAnswer >> 20} MB`);
  if (!isJson(contentType)) return refuse(`the answer is ${contentType || "of no type"}, not JSON`);
  const json = parseJson(body.toString());
  return json.ok ? json : refuse("the answer is not valid JSON");
}

async function* ownedBy(owner: Disposable, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } finally {
    owner.dispose();
  }
}
