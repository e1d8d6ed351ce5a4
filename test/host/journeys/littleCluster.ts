import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";

export interface Asked {
  readonly method: string;
  /** The path of the URL, without query parameters. */
  readonly path: string;
  readonly isWatch: boolean;
  /** True for a log request with `follow=true`. */
  readonly isFollowed: boolean;
  readonly body: string;
}

export interface Told {
  json(status: number, body: unknown): void;
  /** Responds with the log of a running container. Leaves the response open if the request follows the log. */
  log(text: string): void;
  /**
   * Responds with a watch that stays open. It begins with these pods and the bookmark that ends the initial events.
   * Returns a function that sends later events.
   */
  watch(pods: readonly unknown[]): TellChange;
}

export type TellChange = (type: "ADDED" | "MODIFIED" | "DELETED", pod: unknown) => void;

export interface LittleCluster {
  /** The path of a kubeconfig file. Its only context has the name of the cluster, and the namespace "etl". */
  readonly kubeconfig: string;
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts an API server with scripted responses, for states that a real one cannot be forced into. */
export async function startLittleCluster(
  answer: (asked: Asked, told: Told) => void,
  name = "dev",
): Promise<LittleCluster> {
  const server = createServer((request, response) => {
    readAsked(request).then(
      (asked) => {
        answer(asked, toldTo(response));
      },
      () => {
        response.destroy();
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-little-"));
  const kubeconfig = join(folder, "kubeconfig");
  const config = {
    clusters: [{ name, cluster: { server: `http://127.0.0.1:${address.port}` } }],
    users: [{ name: "ada", user: {} }],
    contexts: [{ name, context: { cluster: name, user: "ada", namespace: "etl" } }],
    "current-context": name,
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  return {
    kubeconfig,
    connections: () => promisify(server.getConnections.bind(server))(),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** VS Code connected to a little cluster, with the Spark view open. `close` stops both. */
export interface LittleClusterEditor {
  readonly host: VscodeHost;
  readonly workbench: Workbench;
  close(): Promise<void>;
}

export async function openLittleCluster(
  answer: (asked: Asked, told: Told) => void,
): Promise<LittleClusterEditor> {
  const cluster = await startLittleCluster(answer);
  const env = { KUBECONFIG: cluster.kubeconfig };
  const host = await VscodeHost.start({ version: "newest", env });
  const workbench = await host.open(await host.makeWorkspace({ "readme.txt": "" }));
  await workbench.openContainer("Spark");
  return {
    host,
    workbench,
    close: async () => {
      await host.stop();
      await cluster.stop();
    },
  };
}

export const statusOf = (code: number, reason: string, message: string): unknown => ({
  ...{ kind: "Status", apiVersion: "v1", status: "Failure" },
  ...{ code, reason, message },
});

export interface PodFields {
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly phase?: "Running" | "Succeeded" | "Failed";
}

/** Returns a pod of the application "orders", in the phase `Running` by default. */
export const podOf = (
  name: string,
  { labels, createdAt, phase = "Running" }: PodFields,
): unknown => ({
  metadata: {
    ...{ name, namespace: "etl", uid: `uid-of-${name}`, resourceVersion: "1" },
    creationTimestamp: createdAt,
    labels: { "spark-app-selector": "spark-1", "spark-app-name": "orders", ...labels },
  },
  spec: { nodeName: "node-1", containers: [{ name: "main", image: "spark:4.3.0" }] },
  status: { phase, startTime: createdAt },
});

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const { method = "", url = "" } = request;
  const [path = "", query = ""] = url.split("?");
  const body = Buffer.concat(await request.toArray()).toString();
  const isFollowed = query.includes("follow=true");
  return { method, path, isWatch: query.includes("watch=true"), isFollowed, body };
}

const toldTo = (response: ServerResponse): Told => ({
  json: (status, body) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  },
  log: (text) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write(text);
    if (!response.req.url?.includes("follow=true")) response.end();
  },
  watch: (pods) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const annotations = { "k8s.io/initial-events-end": "true" };
    const mark = { type: "BOOKMARK", object: { metadata: { resourceVersion: "2", annotations } } };
    const events = [...pods.map((object) => ({ type: "ADDED", object })), mark];
    for (const event of events) response.write(`${JSON.stringify(event)}\n`);
    return (type, object) => {
      response.write(`${JSON.stringify({ type, object })}\n`);
    };
  },
});
