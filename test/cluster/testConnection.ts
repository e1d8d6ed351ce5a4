import { openClusters } from "../../src/cluster/door.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { systemClock } from "../../src/engine/systemClock.ts";

/** Opens the entry point to clusters as the extension does. The caller disposes the result. */
export const openTestClusters = (homeDirectory = "/"): Clusters =>
  openClusters({
    clock: systemClock,
    random: Math.random,
    env: process.env,
    homeDirectory,
    userAgent: "spark-k8s-test",
    log: () => undefined,
  });

/** Connects with the current context of a kubeconfig. */
export async function connectTo(clusters: Clusters, kubeconfig: string): Promise<Connection> {
  const settings = { kubeconfigFiles: [kubeconfig], mayRunPlugins: true };
  const connected = await clusters.connect(undefined, settings, AbortSignal.timeout(10_000));
  if (!connected.ok) throw new Error(`${kubeconfig}: ${connected.error.detail}`);
  return connected.value;
}
