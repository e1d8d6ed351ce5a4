import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { ApiContext, User } from "../api/context.ts";
import { execute } from "../api/exec.ts";
import { forwardPorts } from "../api/portForward.ts";
import { forbidden, notServed, Refusal, unauthorized } from "../api/refusal.ts";
import { requestTargetOf, type RequestTarget } from "../api/request.ts";
import { watch } from "../api/watch.ts";
import { getOrThrow } from "../api/write.ts";
import { isAllowed, type Attempt } from "../security/authorizer.ts";
import type { CertificateIdentity } from "../security/certificates.ts";
import type { Tokens } from "../security/tokens.ts";
import { answer, verbOf, watchShape, type ApiExchange } from "./answer.ts";
import { describeServer } from "./describeServer.ts";
import { sendError, sendText } from "./respond.ts";
import { acceptWebSocket, isWebSocket } from "../../io/webSocket/acceptWebSocket.ts";

interface ServerOptions {
  readonly context: ApiContext;
  readonly tokens: Tokens;
  readonly identity: CertificateIdentity;
  /** 0 for any free port. */
  readonly port: number;
  /** Receives the response of a lease request, which stays open while the window uses the sandbox. */
  readonly lease: (response: ServerResponse) => void;
  /** Called when a client requests the stop of the sandbox. */
  readonly end: () => void;
  readonly log: (line: string) => void;
}

interface ApiServer {
  readonly port: number;
  /** Closes all connections; settles when the port is free. */
  stop(): Promise<void>;
}

/** Serves the API on the loopback interface. Every request needs a token. */
export async function startServer(options: ServerOptions): Promise<ApiServer> {
  const { identity, log } = options;
  let port = options.port;
  const server = createServer({ cert: identity.cert, key: identity.key, minVersion: "TLSv1.2" });
  // Watches and followed logs have no time limit.
  server.requestTimeout = 0;
  server.timeout = 0;
  const upgraded = new Set<Duplex>();

  server.on("request", (request, response) => {
    response.on("error", () => undefined);
    respond(options, port, request, response).catch((error: unknown) => {
      sendError(response, error, log);
    });
  });
  server.on("upgrade", (request, socket) => {
    upgraded.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => upgraded.delete(socket));
    try {
      upgrade(options, request, socket);
    } catch (error) {
      refuseUpgrade(socket, error, log);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  ({ port } = server.address() as AddressInfo);
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of upgraded) socket.destroy();
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

interface Admitted {
  readonly user: User;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Authenticates a request and parses its URL; throws a Refusal if the host or the token is invalid. */
function admit({ tokens }: ServerOptions, request: IncomingMessage): Admitted {
  const host = request.headers.host ?? "";
  // DNS rebinding: refuse host names of other sites that resolve to this address. Accept any port, because a tunnel may
  // use another one.
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/.test(host)) {
    throw new Refusal(421, "Misdirected", `this API server does not serve "${host}"`);
  }
  const [scheme = "", token = ""] = (request.headers.authorization ?? "").split(" ");
  const known = scheme.toLowerCase() === "bearer" ? tokens.identify(token) : undefined;
  if (known === undefined) throw unauthorized();
  const url = request.url ?? "/";
  const at = url.indexOf("?");
  return {
    user: impersonated(known, request),
    path: at === -1 ? url : url.slice(0, at),
    query: new URLSearchParams(at === -1 ? "" : url.slice(at + 1)),
  };
}

function impersonated(user: User, { headers }: IncomingMessage): User {
  const name = headers["impersonate-user"];
  if (typeof name !== "string") return user;
  if (!user.groups.includes("system:masters")) {
    throw forbidden(
      { plural: "users", group: "" },
      name,
      `User ${JSON.stringify(user.name)} cannot impersonate`,
    );
  }
  const groups = String(headers["impersonate-group"] ?? "")
    .split(", ")
    .filter((one) => one !== "");
  return { name, groups: [...groups, "system:authenticated"] };
}

async function respond(
  options: ServerOptions,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { context, tokens } = options;
  const { user, path, query } = admit(options, request);
  const method = request.method ?? "GET";
  const target = requestTargetOf(path, context.kinds);
  if (target !== undefined) {
    const verb = verbOf(method, target, query);
    demandAccess(options, user, target, verb);
    await answer({ context, tokens, user, target, query, request, response }, verb);
    return;
  }
  if (path === "/sandbox/lease") {
    if (!user.groups.includes("system:masters")) throw notServed();
    if (method === "DELETE") {
      sendText(response, 200, "ending\n");
      options.end();
    } else {
      options.lease(response);
    }
    return;
  }
  const attempt = {
    verb: method.toLowerCase(),
    group: "",
    resource: "",
    namespace: "",
    name: "",
    path,
  };
  if (!isAllowed(context.objects, user, attempt)) {
    throw new Refusal(
      403,
      "Forbidden",
      `forbidden: User ${JSON.stringify(user.name)} cannot ${attempt.verb} path ${JSON.stringify(path)}`,
      {},
    );
  }
  if (method !== "GET" && method !== "HEAD") throw notServed();
  describeServer(options.context, port, path, request, response);
}

function demandAccess(
  { context }: ServerOptions,
  user: User,
  { kind, namespace, name, subresource }: RequestTarget,
  verb: string,
): void {
  const resource = subresource === "" ? kind.plural : `${kind.plural}/${subresource}`;
  const place = kind.resource === "namespaces" ? name : namespace;
  const attempt: Attempt = { verb, group: kind.group, resource, namespace: place, name };
  if (isAllowed(context.objects, user, attempt)) return;
  const where = place === "" ? "at the cluster scope" : `in the namespace "${place}"`;
  throw forbidden(
    kind,
    name,
    `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(kind.group)} ${where}`,
  );
}

/** Handles WebSockets: exec, port forwarding, and watches, which Spark's client opens as WebSockets. */
function upgrade(options: ServerOptions, request: IncomingMessage, socket: Duplex): void {
  const { context, tokens } = options;
  const { user, path, query } = admit(options, request);
  const target = requestTargetOf(path, context.kinds);
  if (target === undefined || !isWebSocket(request)) throw notServed();
  const { subresource } = target;
  if (subresource === "exec" || subresource === "attach") {
    demandAccess(options, user, target, "create");
    execute(context, { pod: getOrThrow(context, target), subresource }, query, request, socket);
    return;
  }
  if (target.subresource === "portforward") {
    demandAccess(options, user, target, "create");
    forwardPorts(context, getOrThrow(context, target), query, request, socket);
    return;
  }
  const verb = verbOf("GET", target, query);
  demandAccess(options, user, target, verb);
  if (verb !== "watch" || target.subresource !== "") throw notServed();
  const response = undefined as never;
  streamWatch({ context, tokens, user, target, query, request, response }, socket);
}

function streamWatch(call: ApiExchange, socket: Duplex): void {
  const { context, target, query, request } = call;
  const waiting: string[] = [];
  let send = (text: string): void => {
    waiting.push(text);
  };
  let end = (): void => undefined;
  const shape = watchShape(call, "whole");
  // Start the watch before the upgrade, so that errors are HTTP responses.
  const watching = watch(context, target, query, {
    send: (event) => {
      send(JSON.stringify(shape(event)));
    },
    end: () => {
      end();
    },
  });
  const peer = acceptWebSocket(request, socket, []);
  if (peer === undefined) {
    watching.dispose();
    throw notServed();
  }
  waiting.forEach((text) => {
    peer.send(text);
  });
  send = (text) => {
    peer.send(text);
  };
  end = () => {
    peer.close();
  };
  void peer.closed.then(() => {
    watching.dispose();
  });
}

function refuseUpgrade(socket: Duplex, error: unknown, log: (line: string) => void): void {
  if (!(error instanceof Refusal)) log(String(error));
  const refusal =
    error instanceof Refusal ? error : new Refusal(500, "InternalError", "internal error");
  const text = JSON.stringify(refusal.status);
  socket.end(
    [
      `HTTP/1.1 ${refusal.code} Refused`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}
