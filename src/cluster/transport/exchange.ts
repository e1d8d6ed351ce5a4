import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type PeerCertificate, TLSSocket } from "node:tls";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports.ts";
import { abortError, onAbort } from "../abort.ts";
import { deadline } from "../deadline.ts";

export interface HttpCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With the query; what the server's own path is comes before it. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | undefined;
}

/** Undefined: as long as it takes. */
export interface WaitLimits {
  readonly connectMs: number;
  readonly headersMs: number | undefined;
  /** Up to the end of the answer. */
  readonly wholeMs: number | undefined;
}

/** What came of a request, up to the head of its answer. */
export type Exchange = Answered | Upgraded | Lost;

export interface Answered {
  readonly kind: "answered";
  readonly response: http.IncomingMessage;
  /** Ends the answer and its connection, unless all of it was read. */
  close(): void;
}

/** The server has changed to the protocol that the request named; the bytes are the caller's now. */
export interface Upgraded {
  readonly kind: "upgraded";
  readonly response: http.IncomingMessage;
  readonly socket: Duplex;
  /** What came with the head of the answer. */
  readonly head: Buffer;
}

export interface Lost {
  readonly kind: "lost";
  readonly cause: Error;
  /** True if the server may have got the request. */
  readonly sent: boolean;
  /** What the server showed of itself in the handshake. */
  readonly certificate: PeerCertificate | undefined;
}

/** A limit of ours has passed. */
export class TooLate extends Error {
  override readonly name = "TooLate";
}

/** Sends one request and waits for the head of the answer. Rejects with an AbortError only. */
export function exchange(
  options: https.RequestOptions,
  body: string | undefined,
  limits: WaitLimits,
  clock: Clock,
  signal: AbortSignal,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError());
      return;
    }
    let sent = false;
    let certificate: PeerCertificate | undefined;
    let answer: http.IncomingMessage | undefined;
    const request = (options.protocol === "https:" ? https : http).request(options);
    const toEnd = new DisposableStore();
    const toHead = toEnd.add(new DisposableStore());
    const limit = (ms: number, missed: string): Disposable =>
      deadline(clock, ms, () => {
        (answer ?? request).destroy(new TooLate(`${missed} within ${ms / 1000} s`));
      });
    if (limits.wholeMs !== undefined) {
      toEnd.add(limit(limits.wholeMs, "the answer was not complete"));
    }
    const onConnected = (): void => {
      sent = true;
      if (limits.headersMs !== undefined) toHead.add(limit(limits.headersMs, "no answer came"));
    };

    toHead.add(
      onAbort(signal, () => {
        request.destroy();
        toEnd.dispose();
        reject(abortError());
      }),
    );
    // Stays for the life of the request: an error that nobody listens to would end the whole host.
    request.on("error", (cause) => {
      toEnd.dispose();
      resolve({ kind: "lost", cause, sent, certificate });
    });
    request.on("response", (response) => {
      answer = response;
      toHead.dispose();
      response.on("error", () => undefined);
      const close = (): void => {
        toEnd.dispose();
        request.destroy();
      };
      resolve({ kind: "answered", response, close });
    });
    request.on("upgrade", (response, socket, head) => {
      toEnd.dispose();
      socket.on("error", () => undefined);
      resolve({ kind: "upgraded", response, socket, head });
    });
    request.on("socket", (socket) => {
      socket.setKeepAlive(true, 10_000);
      if (isConnected(socket)) {
        onConnected();
        return;
      }
      const connecting = toHead.add(limit(limits.connectMs, "no connection was made"));
      const secure = socket instanceof TLSSocket;
      // Before the check of the certificate, as a socket that fails it forgets what it saw.
      if (secure) {
        socket.prependListener("secure", () => {
          // What a session was resumed with has been checked before.
          if (!socket.isSessionReused()) certificate = socket.getPeerCertificate();
        });
      }
      socket.once(secure ? "secureConnect" : "connect", () => {
        connecting.dispose();
        onConnected();
      });
    });
    request.end(body);
  });
}

// A socket within a tunnel is connected, and of its handshake the end is the only sure sign.
function isConnected(socket: Socket): boolean {
  if (socket.connecting) return false;
  return !(socket instanceof TLSSocket) || socket.getPeerFinished() !== undefined;
}
