import type http from "node:http";
import type { Clock } from "../../engine/ports/clock.ts";
import { abortError } from "../../io/abort.ts";
import { BodyLost, chunksOf, drainKeepingPrefix } from "../../io/http/body.ts";
import { exchange, type ConnectionLost } from "../../io/http/exchange.ts";

interface StorageRequest {
  readonly agent: http.Agent;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Called with the number of body bytes sent so far. */
  readonly onSent: ((bytes: number) => void) | undefined;
  /** Timeout without traffic in either direction, after the connection is made. */
  readonly silenceMs: number;
}

/** A complete HTTP response with any status. */
export interface StorageAnswer {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** The first 64 KiB of the body. */
  readonly text: string;
}

const connectMs = 15_000;
const maxTextBytes = 64 * 1024;

/** Sends one request and reads its response. Returns a lost connection as a value; rejects only with an AbortError. */
export async function askStorage(
  { agent, method, url, headers, body, onSent, silenceMs }: StorageRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<StorageAnswer | ConnectionLost> {
  const withLength = method === "PUT" || method === "POST";
  const options = {
    agent,
    method,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...headers, ...(withLength && { "content-length": body?.length ?? 0 }) },
  };
  const limits = { connectMs, headersMs: undefined, wholeMs: undefined, sendSilenceMs: silenceMs };
  const came = await exchange({ options, body, onSent }, limits, clock, signal);
  if (came.kind === "lost") return came;
  if (came.kind === "upgraded") {
    came.socket.destroy();
    return lost(new Error("the storage switched protocols"));
  }
  try {
    const bytes = await drainKeepingPrefix(chunksOf(came, silenceMs, clock, signal), maxTextBytes);
    const { statusCode: status = 0, headers: answerHeaders } = came.response;
    return { kind: "answered", status, headers: answerHeaders, text: bytes.toString() };
  } catch (error) {
    if (signal.aborted) throw abortError();
    if (!(error instanceof BodyLost)) throw error;
    return lost(error.cause);
  }
}

const lost = (cause: Error): ConnectionLost => ({
  kind: "lost",
  cause,
  sent: true,
  certificate: undefined,
});
