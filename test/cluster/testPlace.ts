import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

/** A folder, a namespace of the test cluster and a connection to it. `close` removes all. */
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
 * VS Code on a namespace of the test cluster, with the Spark view open. `files`: the workspace,
 * path → text.
 */
export async function openEditor(
  kubeconfig: string,
  namespace: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly host: VscodeHost; readonly workbench: Workbench }> {
  const host = await VscodeHost.start({
    version: "newest",
    env: { KUBECONFIG: kubeconfig },
    settings: { "sparkK8s.namespaces": [namespace] },
  });
  const workbench = await host.open(await host.makeWorkspace(files));
  await workbench.openContainer("Spark");
  return { host, workbench };
}
