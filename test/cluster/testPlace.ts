import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import type { StoredObject } from "../../src/engine/ports/objects.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { quickJvms } from "./quickJvms.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

/** A temporary folder, a namespace in the test cluster and a connection to the cluster. `close` removes all of them. */
export interface TestPlace {
  readonly folder: string;
  readonly clusters: Clusters;
  readonly connection: Connection;
  readonly own: TestNamespace;
  close(): Promise<void>;
}

export async function openTestPlace(kubeconfig: string, namespace: string): Promise<TestPlace> {
  const folder = await mkdtemp(join(tmpdir(), `${namespace}-`));
  const clusters = openTestClusters(folder);
  const connection = await connectTo(clusters, kubeconfig);
  const own = await makeTestNamespace(connection, namespace);
  return {
    ...{ folder, clusters, connection, own },
    close: async () => {
      await own.remove();
      clusters.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Starts VS Code for a namespace in the test cluster and opens the Spark view. `files` are the files in the workspace,
 * path → text. The returned `folder` is the workspace folder.
 */
export async function openEditor(
  kubeconfig: string,
  namespace: string,
  files: Readonly<Record<string, string>>,
  { settings = {}, extensions = [], size, env = {} }: EditorOptions = {},
): Promise<{
  readonly host: VscodeHost;
  readonly workbench: Workbench;
  readonly folder: string;
}> {
  const host = await VscodeHost.start({
    version: "newest",
    env: { KUBECONFIG: kubeconfig, ...env },
    settings: { "sparkK8s.namespaces": [namespace], ...settings },
    extensions,
  });
  const folder = await host.makeWorkspace(files);
  const workbench = await host.open(folder, size);
  await workbench.openContainer("Spark");
  return { host, workbench, folder };
}

interface EditorOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Paths of .vsix files to install in addition. */
  readonly extensions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The window's size in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Spark conf that makes a driver and an executor small enough for two cores. */
export const smallConf = {
  "spark.kubernetes.driver.request.cores": "0.1",
  "spark.kubernetes.executor.request.cores": "0.1",
  "spark.driver.memory": "512m",
  "spark.executor.memory": "512m",
  "spark.executor.instances": 1,
  ...quickJvms,
} as const;

/** Returns the text of a `tasks.json`. */
export const tasksJson = (tasks: readonly object[], inputs?: readonly object[]): string =>
  JSON.stringify({ version: "2.0.0", tasks, inputs }, undefined, 2);

/** Lists the driver pods in a namespace. */
export async function driversIn(
  { objects }: Pick<Connection, "objects">,
  namespace: string,
): Promise<readonly StoredObject[]> {
  const kind = { apiVersion: "v1", kind: "Pod" };
  const signal = AbortSignal.timeout(10_000);
  const listed = await objects.list(kind, namespace, "spark-role=driver", signal);
  if (!listed.ok) throw new Error(`cannot list pods: ${listed.error.detail}`);
  return listed.value;
}
