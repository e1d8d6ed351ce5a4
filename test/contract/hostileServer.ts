// A small API server that follows a script, including protocol errors.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer, Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TestContext } from "node:test";
import type { SecureVersion } from "node:tls";
import type { CertificateIdentity } from "../../src/sandbox/security/certificates.ts";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Names and values as received, including repeated headers. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** The number of the connection, counted from 1. */
  readonly connection: number;
}

export interface Reply {
  json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  send(status: number, contentType: string, body: string | Buffer): void;
  /** Starts a streaming response, which the test must write and end. */
  stream(
    contentType?: string,
    status?: number,
    headers?: Readonly<Record<string, string>>,
  ): ServerResponse;
  /** Writes raw bytes instead of a response. */
  raw(bytes: string): void;
  /** Closes the connection at any point of the response. */
  drop(): void;
  /** Settles when the client has closed the connection. */
  gone(): Promise<void>;
}

export type Script = (seen: Seen, reply: Reply) => void;

export interface HostileServer {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly Seen[];
  readonly connections: number;
  /** Currently open connections. */
  readonly open: ReadonlySet<Socket>;
  /** Handles all requests; a test may replace it at any time. */
  script: Script;
  /** Replaces the certificate for new connections. */
  present(identity: CertificateIdentity): void;
}

export interface HostileOptions {
  /** The server's certificate; if undefined, it uses plain HTTP. */
  readonly tls?: CertificateIdentity;
  /** Requests a client certificate that this authority has issued. */
  readonly clientAuthority?: string;
  /** The maximum TLS version. */
  readonly maxVersion?: SecureVersion;
}

/** Starts a server that stops with the test. */
export async function startServer(
  t: TestContext,
  script: Script,
  options: HostileOptions = {},
): Promise<HostileServer> {
  const seen: Seen[] = [];
  const numbers = new WeakMap<Socket, number>();
  const open = new Set<Socket>();
  let connections = 0;
  const state = { script };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => {
      const one: Seen = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
        connection: numbers.get(request.socket) ?? 0,
      };
      seen.push(one);
      state.script(one, replyTo(request, response));
    });
  };

  const { tls, clientAuthority, maxVersion } = options;
  const server = tls
    ? createSecureServer(
        {
          cert: tls.cert,
          key: tls.key,
          ...(maxVersion !== undefined && { maxVersion }),
          ...(clientAuthority !== undefined && {
            ca: clientAuthority,
            requestCert: true,
            rejectUnauthorized: true,
          }),
        },
        answer,
      )
    : createServer(answer);
  server.keepAliveTimeout = 0;
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    connections += 1;
    numbers.set(socket, connections);
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    server.closeAllConnections();
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    seen,
    open,
    get connections() {
      return connections;
    },
    get script() {
      return state.script;
    },
    set script(next) {
      state.script = next;
    },
    present: ({ cert, key }) => {
      if (!(server instanceof SecureServer)) throw new Error("the server speaks no TLS");
      server.setSecureContext({ cert, key });
    },
  };
}

function replyTo(request: IncomingMessage, response: ServerResponse): Reply {
  const { socket } = request;
  response.on("error", () => undefined);
  return {
    json(status, body, headers = {}) {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    },
    send(status, contentType, body) {
      response.writeHead(status, { "content-type": contentType });
      response.end(body);
    },
    stream(contentType = "application/json", status = 200, headers = {}) {
      response.writeHead(status, { "content-type": contentType, ...headers });
      response.flushHeaders();
      return response;
    },
    raw(bytes) {
      socket.write(bytes);
    },
    drop() {
      socket.destroy();
    },
    gone: () =>
      new Promise((resolve) => {
        socket.once("close", () => {
          resolve();
        });
      }),
  };
}
