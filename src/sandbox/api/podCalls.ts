// Pod subresources: log and proxy.
import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import { leaveOut, type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import type { LogQuery, PodNode } from "../node/node.ts";
import { items } from "../rules/podRules.ts";
import { asObject } from "../schema/schema.ts";
import type { ApiContext } from "./context.ts";
import { badRequest, invalid, Refusal } from "./refusal.ts";
import { isTrue } from "./watch.ts";

export function nodeOf({ node }: ApiContext): PodNode {
  const found = node();
  if (found !== undefined) return found;
  throw new Refusal(503, "ServiceUnavailable", "no node runs the pods of this sandbox");
}

/** Returns the pod's IP. Throws unless it is a loopback address: the sandbox must not reach other hosts. */
export function loopbackOf(pod: KubeObject): string {
  const address = asObject(pod["status"])?.["podIP"];
  if (typeof address === "string" && /^127\.\d+\.\d+\.\d+$/.test(address)) return address;
  throw new Refusal(503, "ServiceUnavailable", "no endpoints available for the pod");
}

/** Returns the container that a request names, or the default one; throws a 400 if neither exists. */
export function containerOf(pod: KubeObject, named: string | null): string {
  const spec = asObject(pod["spec"]) ?? {};
  const regular = [...items(spec["containers"])].map(({ name }) => plainTextOf(name));
  const initial = items(spec["initContainers"]).map(({ name }) => plainTextOf(name));
  const { name } = pod.metadata;
  if (named !== null && named !== "") {
    if ([...regular, ...initial].includes(named)) return named;
    throw badRequest(`container ${named} is not valid for pod ${name}`);
  }
  const preferred = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  if (typeof preferred === "string" && regular.includes(preferred)) return preferred;
  const [only = ""] = regular;
  if (regular.length === 1) return only;
  const list = (names: readonly string[]): string => `[${names.join(" ")}]`;
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: ${list(regular)}${initial.length > 0 ? ` or one of the init containers: ${list(initial)}` : ""}`,
  );
}

export const stateOf = (pod: KubeObject, container: string): JsonMembers | undefined => {
  const status = asObject(pod["status"]) ?? {};
  return [...items(status["containerStatuses"]), ...items(status["initContainerStatuses"])].find(
    ({ name }) => name === container,
  );
};

function logQuery(pod: KubeObject, query: URLSearchParams, now: number): LogQuery {
  const problem = (field: string, message: string): Refusal =>
    invalid({ kind: "PodLogOptions", group: "" }, pod.metadata.name, [
      { reason: "FieldValueInvalid", field, message },
    ]);
  const number = (name: string, min: number): number | undefined => {
    const text = query.get(name);
    if (text === null) return undefined;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min) return value;
    const bound = min === 0 ? "greater than or equal to 0" : "greater than 0";
    throw problem(name, `Invalid value: ${text}: must be ${bound}`);
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

function checkStarted(pod: KubeObject, container: string, previous: boolean): void {
  const state = stateOf(pod, container);
  const name = pod.metadata.name;
  if (previous) {
    if (asObject(asObject(state?.["lastState"])?.["terminated"]) !== undefined) return;
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
  }
  const now = asObject(state?.["state"]) ?? {};
  if (now["running"] !== undefined || now["terminated"] !== undefined) return;
  const waiting = asObject(now["waiting"]);
  // Between two runs, the log of the previous run is available.
  if (asObject(asObject(state?.["lastState"])?.["terminated"]) !== undefined) return;
  const why = waiting?.["reason"];
  throw badRequest(
    why === undefined
      ? `container "${container}" in pod "${name}" is not available`
      : why === "ErrImagePull" || why === "ImagePullBackOff"
        ? `container "${container}" in pod "${name}" is waiting to start: trying and failing to pull image`
        : `container "${container}" in pod "${name}" is waiting to start: ${plainTextOf(why)}`,
  );
}

export async function sendLog(
  context: ApiContext,
  pod: KubeObject,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const wantedLog = logQuery(pod, query, context.clock.now());
  // A pod without a node has no log.
  if (asObject(pod["spec"])?.["nodeName"] === undefined) {
    response.writeHead(204).end();
    return;
  }
  checkStarted(pod, wantedLog.container, wantedLog.previous);
  const stop = new AbortController();
  response.on("close", () => {
    stop.abort();
  });
  const chunks = nodeOf(context).logs(pod, wantedLog, stop.signal);
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

/** Proxies a request to a port of a pod, without the client's credentials. */
export function proxyToPod(
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
  const forwarded = ask(
    { host: address, port, method: request.method, path: `/${target.rest}${search}`, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  forwarded.on("error", (error) => {
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
  response.on("close", () => forwarded.destroy());
  request.pipe(forwarded);
}
