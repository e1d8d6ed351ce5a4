import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type PeerCertificate, TLSSocket } from "node:tls";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { Sleeper } from "../sleeper.ts";
import { abortError, onAbort } from "../abort.ts";
import { deadline } from "../deadline.ts";
import { IdleTimeout } from "../idleTimeout.ts";

export interface HttpCall {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path with the query, relative to the path of the server's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | undefined;
}

/** The server's certificate differs from the one that the user accepted. */
class CertificateChanged extends Error {
  override readonly name = "CertificateChanged";

  constructor() {
    super("the server presented another certificate than the one that you agreed to");
  }
}

/** Time limits in ms. Undefined means no limit. */
export interface WaitLimits {
  readonly connectMs: number;
  readonly headersMs: number | undefined;
  /** From the start of the request to the end of the response body. */
  readonly wholeMs: number | undefined;
  /** Maximum time between two sent slices of the body. Applies until the response headers arrive. */
  readonly sendSilenceMs?: number;
}

interface HttpRequest {
  readonly options: https.RequestOptions;
  readonly body: string | Buffer | undefined;
  /** SHA-256 fingerprint that the certificate must have before the first byte of the request is written. */
  readonly pinned?: string | undefined;
  /** Called with the number of body bytes sent so far. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

export type Exchange = Answered | Upgraded | ConnectionLost;

export interface Answered {
  readonly kind: "answered";
  readonly response: http.IncomingMessage;
  /** Closes the connection, unless the response was read to its end. */
  close(): void;
}

/** The server switched protocols; the caller owns the socket. */
export interface Upgraded {
  readonly kind: "upgraded";
  readonly response: http.IncomingMessage;
  readonly socket: Duplex;
  /** Bytes received with the response headers. */
  readonly head: Buffer;
}

export interface ConnectionLost {
  readonly kind: "lost";
  readonly cause: Error;
  /** True if the server may have received the request. */
  readonly sent: boolean;
  /**
   * The server's certificate from the TLS handshake of this request. Undefined if the request failed before the server
   * sent one, or if it reused a connection or a TLS session.
   */
  readonly certificate: PeerCertificate | undefined;
}

/** A time limit of this client was exceeded. */
export class RequestTimeout extends Error {
  override readonly name = "TooLate";
}

/**
 * Sends one request and waits for the response headers. A lost connection resolves as `lost`. Rejects with an
 * AbortError, or with a TypeError if Node does not accept `options`.
 */
export function exchange(
  { options, body, pinned, onSent }: HttpRequest,
  limits: WaitLimits,
  sleeper: Sleeper,
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
    let silence: IdleTimeout | undefined;
    const request = (options.protocol === "https:" ? https : http).request(options);
    const toEnd = new DisposableStore();
    const toHead = toEnd.add(new DisposableStore());
    const limit = (ms: number, missed: string): Disposable =>
      deadline(sleeper, ms, () => {
        (answer ?? request).destroy(new RequestTimeout(`${missed} within ${ms / 1000} s`));
      });
    if (limits.wholeMs !== undefined) {
      toEnd.add(limit(limits.wholeMs, "the response was not complete"));
    }
    const limitSilence = (ms: number): IdleTimeout => {
      const started = new IdleTimeout(sleeper, ms, () => {
        request.destroy(new RequestTimeout(`no data arrived for ${ms / 1000} s`));
      });
      started.wait();
      return started;
    };
    const onConnected = (): void => {
      sent = true;
      if (limits.headersMs !== undefined) toHead.add(limit(limits.headersMs, "no answer came"));
      if (limits.sendSilenceMs !== undefined)
        silence = toHead.add(limitSilence(limits.sendSilenceMs));
    };

    toHead.add(
      onAbort(signal, () => {
        request.destroy();
        toEnd.dispose();
        reject(abortError());
      }),
    );
    // Do not remove this listener after the response: an unhandled "error" event would end the extension host.
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
      if (pinned !== undefined) expectCertificate(socket, pinned);
      if (isConnected(socket)) {
        onConnected();
        return;
      }
      const connecting = toHead.add(limit(limits.connectMs, "no connection was made"));
      const secure = socket instanceof TLSSocket;
      // Read the certificate before Node checks it: a socket that fails the check no longer returns it.
      if (secure) {
        socket.prependListener("secure", () => {
          // A resumed session skips the certificate check, so no error can refer to its certificate.
          if (!socket.isSessionReused()) certificate = socket.getPeerCertificate();
        });
      }
      socket.once(secure ? "secureConnect" : "connect", () => {
        connecting.dispose();
        onConnected();
      });
    });
    if (!(body instanceof Buffer)) request.end(body);
    else {
      sendSlices(request, body, (bytes) => {
        silence?.wait();
        onSent?.(bytes);
      });
    }
  });
}

// `onSent` runs once for each slice, so small slices keep the progress current on a slow connection.
const sliceBytes = 64 * 1024;

/** Writes the body in slices and waits for "drain" between them. */
function sendSlices(
  request: http.ClientRequest,
  body: Buffer,
  onSent: (bytes: number) => void,
): void {
  let written = 0;
  let sent = 0;
  const writeMore = (): void => {
    while (written < body.length) {
      const slice = body.subarray(written, written + sliceBytes);
      written += slice.length;
      const hasRoom = request.write(slice, (error) => {
        if (error) return;
        sent += slice.length;
        onSent(sent);
      });
      if (!hasRoom && written < body.length) {
        request.once("drain", writeMore);
        return;
      }
    }
    request.end();
  };
  writeMore();
}

/**
 * Destroys the socket unless the server's certificate has the fingerprint. Node emits "socket" before it writes the
 * request, and buffers written bytes until the "secureConnect" listeners have run.
 */
function expectCertificate(socket: Socket, pinned: string): void {
  const check = (): void => {
    const isExpected =
      socket instanceof TLSSocket && socket.getPeerCertificate().fingerprint256 === pinned;
    if (!isExpected) socket.destroy(new CertificateChanged());
  };
  if (!(socket instanceof TLSSocket) || isConnected(socket)) check();
  else socket.prependListener("secureConnect", check);
}

// A TLS socket inside a tunnel is connected before its handshake, so check for the end of the handshake.
function isConnected(socket: Socket): boolean {
  if (socket.connecting) return false;
  return !(socket instanceof TLSSocket) || socket.getPeerFinished() !== undefined;
}
