// What goes on at a pod: its log, commands in it, requests to its ports, its eviction, its binding.
import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { acceptWebSocket, type WebSocketPeer } from "../http/webSocket.ts";
import { leaveOut, type JsonObject, type KubeObject, plainText } from "../kubeObject.ts";
import type { ExecEnd, LogQuery, PodNode } from "../node/node.ts";
import { items } from "../rules/podRules.ts";
import { asObject } from "../schema/schema.ts";
import type { ApiContext } from "./context.ts";
import { loopbackOf } from "./portForward.ts";
import { badRequest, invalid, Refusal } from "./refusal.ts";
import { isTrue } from "./watch.ts";

function nodeOf({ node }: ApiContext): PodNode {
  const found = node();
  if (found !== undefined) return found;
  throw new Refusal(503, "ServiceUnavailable", "no node runs the pods of this sandbox");
}

/** The container that a request means. */
function containerOf(pod: KubeObject, named: string | null): string {
  const spec = asObject(pod["spec"]) ?? {};
  const own = [...items(spec["containers"])].map(({ name }) => plainText(name));
  const starters = items(spec["initContainers"]).map(({ name }) => plainText(name));
  const { name } = pod.metadata;
  if (named !== null && named !== "") {
    if ([...own, ...starters].includes(named)) return named;
    throw badRequest(`container ${named} is not valid for pod ${name}`);
  }
  const standard = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  if (typeof standard === "string" && own.includes(standard)) return standard;
  const [only = ""] = own;
  if (own.length === 1) return only;
  const list = (names: readonly string[]): string => `[${names.join(" ")}]`;
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: ${list(own)}${starters.length > 0 ? ` or one of the init containers: ${list(starters)}` : ""}`,
  );
}

const stateOf = (pod: KubeObject, container: string): JsonObject | undefined => {
  const status = asObject(pod["status"]) ?? {};
  return [...items(status["containerStatuses"]), ...items(status["initContainerStatuses"])].find(
    ({ name }) => name === container,
  );
};

export function logQuery(pod: KubeObject, query: URLSearchParams, now: number): LogQuery {
  const problem = (field: string, message: string): Refusal =>
    invalid({ kind: "PodLogOptions", group: "" }, pod.metadata.name, [
      { reason: "FieldValueInvalid", field, message },
    ]);
  const number = (name: string, least: number): number | undefined => {
    const text = query.get(name);
    if (text === null) return undefined;
    const value = Number(text);
    if (Number.isInteger(value) && value >= least) return value;
    const wanted = least === 0 ? "greater than or equal to 0" : "greater than 0";
    throw problem(name, `Invalid value: ${text}: must be ${wanted}`);
  };
  const since = query.get("sinceTime");
  const seconds = number("sinceSeconds", 1);
  const [tailLines, limitBytes] = [number("tailLines", 0), number("limitBytes", 1)];
  if (since !== null && seconds !== undefined) {
    throw problem("", "Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified");
  }
  const container = containerOf(pod, query.get("container"));
  const previous = isTrue(query.get("previous"));
  return {
    container,
    follow: isTrue(query.get("follow")),
    previous,
    tailLines,
    since:
      since !== null
        ? Math.floor(Date.parse(since) / 1000) * 1000
        : seconds === undefined
          ? undefined
          : now - seconds * 1000,
    timestamps: isTrue(query.get("timestamps")),
    limitBytes,
  };
}

function checkBegun(pod: KubeObject, container: string, previous: boolean): void {
  const state = stateOf(pod, container);
  const name = pod.metadata.name;
  if (previous) {
    if (asObject(asObject(state?.["lastState"])?.["terminated"]) !== undefined) return;
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
  }
  const now = asObject(state?.["state"]) ?? {};
  if (now["running"] !== undefined || now["terminated"] !== undefined) return;
  const waiting = asObject(now["waiting"]);
  // Between two runs there is the log of the last one.
  if (asObject(asObject(state?.["lastState"])?.["terminated"]) !== undefined) return;
  const why = waiting?.["reason"];
  throw badRequest(
    why === undefined
      ? `container "${container}" in pod "${name}" is not available`
      : why === "ErrImagePull" || why === "ImagePullBackOff"
        ? `container "${container}" in pod "${name}" is waiting to start: trying and failing to pull image`
        : `container "${container}" in pod "${name}" is waiting to start: ${plainText(why)}`,
  );
}

export async function sendLog(
  context: ApiContext,
  pod: KubeObject,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const wanted = logQuery(pod, query, context.clock.now());
  // Nothing has been written by a pod that is nowhere.
  if (asObject(pod["spec"])?.["nodeName"] === undefined) {
    response.writeHead(204).end();
    return;
  }
  checkBegun(pod, wanted.container, wanted.previous);
  const stop = new AbortController();
  response.on("close", () => {
    stop.abort();
  });
  const chunks = nodeOf(context).logs(pod, wanted, stop.signal);
  response.writeHead(200, { "content-type": "text/plain" });
  response.flushHeaders();
  try {
    for await (const chunk of chunks) {
      if (response.write(chunk) || response.destroyed) continue;
      await new Promise<void>((resolve) => {
        response.once("drain", resolve);
        response.once("close", resolve);
      });
    }
    response.end();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
const [stdin, stdout, stderr, ending, closing] = [0, 1, 2, 3, 255];

/** Runs a command over a WebSocket whose messages begin with their channel. */
export function execute(
  context: ApiContext,
  pod: KubeObject,
  query: URLSearchParams,
  request: IncomingMessage,
  socket: Duplex,
): void {
  const container = containerOf(pod, query.get("container"));
  const state = asObject(stateOf(pod, container)?.["state"]);
  if (state?.["running"] === undefined) {
    throw new Refusal(500, "InternalError", `container not found ("${container}")`);
  }
  const command = query.getAll("command");
  if (command.length === 0)
    throw badRequest("you must specify at least 1 command for the container");
  const node = nodeOf(context);
  const peer = acceptWebSocket(request, socket, protocols);
  if (peer === undefined) throw badRequest("none of the offered protocols is spoken");
  const stop = new AbortController();
  void peer.closed.then(() => {
    stop.abort();
  });
  const send = (channel: number) => (chunk: Uint8Array) => {
    peer.send(Buffer.concat([Buffer.from([channel]), chunk]));
  };
  const tty = isTrue(query.get("tty"));
  const streams = {
    stdin: inputOf(peer, isTrue(query.get("stdin"))),
    stdout: send(stdout),
    stderr: send(stderr),
  };
  node.exec(pod, { container, command, tty }, streams, stop.signal).then(
    (end) => {
      send(ending)(Buffer.from(JSON.stringify(endStatus(end))));
      peer.close();
    },
    () => {
      peer.close();
    },
  );
}

function inputOf(peer: WebSocketPeer, isWanted: boolean): AsyncIterable<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let isOver = !isWanted;
  let wake = (): void => undefined;
  const heard = peer.onDidReceive((message) => {
    const [channel, closed] = message;
    if (channel === stdin) waiting.push(message.subarray(1));
    if (channel === closing && closed === stdin) isOver = true;
    wake();
  });
  void peer.closed.then(() => {
    isOver = true;
    wake();
  });
  return (async function* () {
    try {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      heard.dispose();
    }
  })();
}

function endStatus(end: ExecEnd): JsonObject {
  if (end.kind === "exited" && end.exitCode === 0) return { metadata: {}, status: "Success" };
  if (end.kind === "failed") {
    return {
      metadata: {},
      status: "Failure",
      message: end.message,
      reason: "InternalError",
      code: 500,
    };
  }
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${end.exitCode}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(end.exitCode) }] },
  };
}

/** Passes a request on to a port of a pod; the credentials stay here. */
export function passOn(
  { objects }: ApiContext,
  target: { readonly namespace: string; readonly name: string; readonly rest: string },
  search: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [name = "", port = "80"] = target.name.replace(/^https?:/, "").split(":");
  const pod = objects.get({ resource: "pods", namespace: target.namespace, name });
  if (pod === undefined)
    throw new Refusal(404, "NotFound", `pods "${name}" not found`, { name, kind: "pods" });
  const address = loopbackOf(pod);
  const headers = leaveOut(request.headers, "authorization", "host", "connection");
  const onward = ask(
    { host: address, port, method: request.method, path: `/${target.rest}${search}`, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on("error", (error) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const refusal = new Refusal(
      503,
      "ServiceUnavailable",
      `error trying to reach service: ${error.message}`,
    );
    response.writeHead(503, { "content-type": "application/json" });
    response.end(JSON.stringify(refusal.status));
  });
  response.on("close", () => onward.destroy());
  request.pipe(onward);
}
