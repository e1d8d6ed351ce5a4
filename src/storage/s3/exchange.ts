import http from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import type { Clock } from "../../engine/ports.ts";
import { abortError, onAbort } from "../abort.ts";
import { SilenceLimit } from "./silenceLimit.ts";

export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Called with the bytes of the body that have left so far. */
  readonly onSent: ((bytes: number) => void) | undefined;
  /** How long the storage may be silent, once it is connected to. */
  readonly silenceMs: number;
}

/** What came of a request: an answer whatever its status, or none. */
export type Exchange = Answered | Lost;

export interface Answered {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** At most the first 64 KiB. */
  readonly text: string;
}

export interface Lost {
  readonly kind: "lost";
  readonly cause: Error;
  /** False where no connection was made. */
  readonly isConnected: boolean;
}

/** A limit of ours has passed. */
export class TooSilent extends Error {
  override readonly name = "TooSilent";
}

const connectMs = 15_000;
const longestText = 64 * 1024;
// Small enough for progress to be seen on a slow line.
const sliceBytes = 64 * 1024;

/** Sends one request and reads its answer. Rejects with an AbortError only, when its socket is closed. */
export function exchange(
  agent: http.Agent,
  { method, url, headers, body, onSent, silenceMs }: WireRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError());
      return;
    }
    let isConnected = false;
    const request = (url.protocol === "https:" ? https : http).request({
      agent,
      method,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        ...((method === "PUT" || method === "POST") && { "content-length": body?.length ?? 0 }),
      },
    });
    const silence = new SilenceLimit(clock, connectMs, () => {
      const seconds = (isConnected ? silenceMs : connectMs) / 1000;
      const what = isConnected ? "nothing was heard" : "no connection was made";
      request.destroy(new TooSilent(`${what} for ${seconds} s`));
    });
    const aborted = onAbort(signal, () => {
      request.destroy();
    });
    const settle = (outcome: Exchange): void => {
      silence.dispose();
      aborted.dispose();
      if (signal.aborted) reject(abortError());
      else resolve(outcome);
    };
    const lose = (cause: Error): void => {
      settle({ kind: "lost", cause, isConnected });
    };
    // Stays for the life of the request: an error that nobody listens to would end the whole host.
    request.on("error", lose);
    request.on("close", () => {
      lose(new Error("the connection was closed"));
    });
    request.on("socket", (socket) => {
      const onConnected = (): void => {
        isConnected = true;
        silence.allow(silenceMs);
      };
      if (!socket.connecting) onConnected();
      else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", onConnected);
    });
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        silence.heard();
        if (length < longestText) chunks.push(chunk);
        length += chunk.length;
      });
      response.on("error", lose);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8", 0, longestText);
        const { statusCode: status = 0, headers: answerHeaders } = response;
        settle({ kind: "answered", status, headers: answerHeaders, text });
        // An answer before the end of the body: what is left of it has no reader.
        if (!request.writableFinished) request.destroy();
      });
    });
    send(request, body ?? Buffer.alloc(0), (bytes) => {
      silence.heard();
      onSent?.(bytes);
    });
  });
}

/** Writes the body as fast as the socket takes it. */
function send(request: http.ClientRequest, body: Buffer, onSent: (bytes: number) => void): void {
  let begun = 0;
  let sent = 0;
  const writeMore = (): void => {
    while (begun < body.length) {
      const slice = body.subarray(begun, begun + sliceBytes);
      begun += slice.length;
      const hasRoom = request.write(slice, (error) => {
        if (error) return;
        sent += slice.length;
        onSent(sent);
      });
      if (!hasRoom && begun < body.length) {
        request.once("drain", writeMore);
        return;
      }
    }
    request.end();
  };
  writeMore();
}
