import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { sandboxClock, type SandboxClock } from "../../../../src/sandbox/clock.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import type { LogQuery, PodNode } from "../../../../src/sandbox/node/node.ts";
import { nodeWith, type NodeSettings } from "../../../../src/sandbox/node/startNode.ts";
import { fieldsOf, itemsOf, textOf, type Fields } from "../../../../src/base/json.ts";

export const namespace = "jobs";

const noSettings: NodeSettings = {
  distributions: [],
  images: {},
  download: undefined,
  simulate: false,
  javaHome: undefined,
  python: undefined,
  cores: 4,
  memoryBytes: 8 * 2 ** 30,
};

/** A node with its own object store, without an API server. */
export class NodeRig {
  readonly objects: Objects;
  readonly node: PodNode;
  readonly folder: string;
  readonly errors: unknown[];

  static async start(
    settings: Partial<NodeSettings> = {},
    clock: SandboxClock = sandboxClock,
  ): Promise<NodeRig> {
    const folder = await mkdtemp(join(tmpdir(), "spark-k8s-node-"));
    const errors: unknown[] = [];
    const objects = new Objects(
      () => clock.now(),
      (error) => errors.push(error),
    );
    const node = await nodeWith({ ...noSettings, ...settings })({
      objects,
      clock,
      folder,
      api: {
        url: "https://127.0.0.1:6443",
        authority: "the authority",
        tokenFor: (space, account) => `token of ${space}/${account}`,
      },
      log: (line) => errors.push(line),
    });
    return new NodeRig(objects, node, folder, errors);
  }

  private constructor(objects: Objects, node: PodNode, folder: string, errors: unknown[]) {
    this.objects = objects;
    this.node = node;
    this.folder = folder;
    this.errors = errors;
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Creates a pod with one container, "main", that runs local programs. */
  run(
    name: string,
    container: JsonMembers,
    spec: JsonMembers = {},
    meta: JsonMembers = {},
  ): KubeObject {
    const created = this.objects.create("pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace, ...meta },
      spec: {
        restartPolicy: "Never",
        terminationGracePeriodSeconds: 30,
        containers: [{ name: "main", image: "busybox", ...container }],
        ...spec,
      },
      status: { phase: "Pending" },
    });
    if (created === undefined) throw new Error(`there is a pod ${name} already`);
    return created;
  }

  hold(
    resource: "configmaps" | "secrets",
    name: string,
    data: Readonly<Record<string, string>>,
  ): void {
    const kind = resource === "secrets" ? "Secret" : "ConfigMap";
    const held =
      resource === "secrets"
        ? Object.fromEntries(
            Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
          )
        : data;
    this.objects.create(resource, {
      apiVersion: "v1",
      kind,
      metadata: { name, namespace },
      data: held,
    });
  }

  pod(name: string): KubeObject | undefined {
    return this.objects.get({ resource: "pods", namespace, name });
  }

  status(name: string): Fields {
    return fieldsOf(this.pod(name)?.["status"]);
  }

  container(name: string, list = "containerStatuses"): Fields {
    return fieldsOf(itemsOf(this.status(name)[list])[0]);
  }

  /** Deletes a pod with a grace period in seconds, like a client. */
  delete(name: string, seconds: number): void {
    const key = { resource: "pods", namespace, name };
    this.objects.update(key, (pod) => ({
      ...pod,
      metadata: {
        ...pod.metadata,
        deletionTimestamp: new Date().toISOString(),
        deletionGracePeriodSeconds: seconds,
      },
    }));
  }

  events(name: string): readonly string[] {
    return this.objects
      .list("events", namespace)
      .filter((event) => fieldsOf(event["involvedObject"])["name"] === name)
      .map(({ reason, message }) => `${textOf(reason) ?? ""}: ${textOf(message) ?? ""}`);
  }

  /** Waits until `look` returns a value. Calls it at once and after each change of an object. Rejects after 30 s. */
  until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = look();
        if (found === undefined || found === false) return;
        clearTimeout(patience);
        heard.dispose();
        resolve(found);
      };
      const patience = setTimeout(() => {
        heard.dispose();
        reject(
          new Error(
            `not in time: ${what}\n${JSON.stringify(
              this.objects.list("pods").map((pod) => pod["status"]),
              undefined,
              1,
            )}`,
          ),
        );
      }, 30_000);
      const heard = this.objects.onDidChange(check);
      check();
    });
  }

  phase(name: string, phase: string): Promise<true> {
    return this.until(`${name} ${phase}`, () => this.status(name)["phase"] === phase);
  }

  /** Waits until the container's log contains `text`. Shell programs in tests print it after they set their traps. */
  async says(name: string, text: string): Promise<void> {
    await this.phase(name, "Running");
    let said = "";
    for await (const chunk of this.#logs(name, { follow: true }, new AbortController().signal)) {
      said += Buffer.from(chunk).toString("utf8");
      if (said.includes(text)) return;
    }
    throw new Error(`${name} ended and said only ${said}`);
  }

  async log(
    name: string,
    query: Partial<LogQuery> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#logs(name, query, signal)) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }

  #logs(name: string, query: Partial<LogQuery>, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const pod = this.pod(name);
    if (pod === undefined) throw new Error(`there is no pod ${name}`);
    const all: LogQuery = {
      container: "main",
      follow: false,
      previous: false,
      tailLines: undefined,
      since: undefined,
      timestamps: false,
      limitBytes: undefined,
      ...query,
    };
    return this.node.logs(pod, all, signal);
  }
}

/** Returns a container that runs a shell command. */
export const shell = (line: string, more: JsonMembers = {}): JsonMembers => ({
  command: ["/bin/sh", "-c", line],
  ...more,
});
