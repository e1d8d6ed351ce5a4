import { DisposableStore } from "../base/disposable.ts";
import type { ApiContext } from "./api/context.ts";
import { History } from "./api/history.ts";
import { Kinds } from "./api/kinds.ts";
import { Objects, type StoredResource } from "./api/objects.ts";
import type { SandboxClock } from "./clock.ts";
import { serveDefinitions } from "./controllers/definitions.ts";
import { expireEvents } from "./controllers/events.ts";
import { collectGarbage } from "./controllers/garbageCollector.ts";
import { keepNamespaces } from "./controllers/namespaces.ts";
import { protectClaims } from "./controllers/protections.ts";
import { countQuotas } from "./controllers/quotas.ts";
import { Leases } from "./http/leases.ts";
import { startServer } from "./http/server.ts";
import type { KubeObject } from "./kubeObject.ts";
import type { PodNode, StartNode } from "./node/node.ts";
import { standardBindings, standardRoles } from "./security/authorizer.ts";
import { newAuthority } from "./security/certificates.ts";
import { makeTokens } from "./security/tokens.ts";

type Content = readonly [StoredResource, KubeObject];

interface SandboxOptions {
  readonly clock: SandboxClock;
  /** A private folder, mode 0700. */
  readonly folder: string;
  /** Starts the node that runs the pods. Undefined to only store pods. */
  readonly startNode: StartNode | undefined;
  /** Milliseconds after which the sandbox stops if it has no lease. */
  readonly graceMs: number;
  /** Objects to create at the start, in addition to the standard objects of a cluster. */
  readonly contents: readonly Content[];
  readonly log: (line: string) => void;
}

export interface Sandbox {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly authority: string;
  readonly token: string;
  /** The internal state, for code in the same process. */
  readonly context: ApiContext;
  /**
   * Settles when the sandbox has stopped: after its last lease expired, on a client's request, or after `stop`.
   */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

/** Starts a small Kubernetes cluster in this process. The caller must call `stop`. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, folder, startNode, log } = options;
  const owned = new DisposableStore();
  const logError = (error: unknown): void => {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const objects = new Objects(() => clock.now(), logError);
  const kinds = new Kinds(logError);
  const history = owned.add(new History(objects));
  const certificates = newAuthority("Spark sandbox");
  const tokens = makeTokens(objects);
  const running: { node: PodNode | undefined } = { node: undefined };
  const context: ApiContext = {
    objects,
    history,
    kinds,
    clock,
    authority: certificates.cert,
    node: () => running.node,
  };
  for (const start of [
    keepNamespaces,
    collectGarbage,
    protectClaims,
    serveDefinitions,
    countQuotas,
    expireEvents,
  ]) {
    owned.add(start(context));
  }
  for (const [resource, object] of [...standardObjects(), ...options.contents]) {
    objects.create(resource, object);
  }
  // Compact the history, so that clients cannot watch changes from before the start.
  history.compact();

  let finish = (): void => undefined;
  const ended = new Promise<void>((resolve) => (finish = resolve));
  const leases = owned.add(
    new Leases(options.graceMs, () => {
      finish();
    }),
  );
  const server = await startServer({
    context,
    tokens,
    identity: certificates.issue("Spark sandbox API server"),
    port: 0,
    lease: leases.take,
    end: () => {
      finish();
    },
    log,
  });
  const url = `https://127.0.0.1:${server.port}`;
  const api = { url, authority: certificates.cert, tokenFor: tokens.tokenFor };
  running.node = await startNode?.({ objects, clock, folder, api, log });

  const done = ended.then(async () => {
    await running.node?.stop();
    owned.dispose();
    await server.stop();
  });
  return {
    url,
    authority: certificates.cert,
    token: tokens.admin,
    context,
    done,
    stop: () => {
      finish();
      return done;
    },
  };
}

function standardObjects(): readonly Content[] {
  const rbac = "rbac.authorization.k8s.io";
  const standardClass: KubeObject = {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
      name: "standard",
      annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    },
    provisioner: "sandbox/folder",
    reclaimPolicy: "Delete",
    volumeBindingMode: "WaitForFirstConsumer",
  };
  const namespaces = ["default", "kube-system"].map((name): KubeObject => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  }));
  const priorities = [
    ["system-cluster-critical", 2_000_000_000],
    ["system-node-critical", 2_000_001_000],
  ].map(([name, value]): KubeObject => ({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: String(name), generation: 1 },
    value: Number(value),
    preemptionPolicy: "PreemptLowerPriority",
  }));
  return [
    ...namespaces.map((one) => ["namespaces", one] as const),
    ...standardRoles().map((one) => [`clusterroles.${rbac}`, one] as const),
    ...standardBindings().map((one) => [`clusterrolebindings.${rbac}`, one] as const),
    ...priorities.map((one) => ["priorityclasses.scheduling.k8s.io", one] as const),
    ["storageclasses.storage.k8s.io", standardClass],
  ];
}
