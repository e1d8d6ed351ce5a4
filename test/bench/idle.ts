// Measures the cost of an idle connection with a hidden view: requests, new connections and process CPU time. Needs
// KUBECONFIG. SPARK_K8S_BENCH_IDLE_S sets the duration in seconds (default: 480).
import { subscribe } from "node:diagnostics_channel";
import { setTimeout as wait } from "node:timers/promises";
import { disposable } from "../../src/base/disposable.ts";
import { ClusterSession } from "../../src/editor/apps/clusterSession.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { openTestClusters } from "../cluster/testConnection.ts";
import { isSmallest, Targets } from "./targets.ts";

const kubeconfig = process.env["KUBECONFIG"] ?? "";
const idleMs = Number(process.env["SPARK_K8S_BENCH_IDLE_S"] ?? (isSmallest ? "5" : "480")) * 1000;
const settleMs = isSmallest ? 2_000 : 15_000;
const maxRequests = 2;
const maxCpuMs = 60;
const namespaces = ["default", "kube-system"];
if (kubeconfig === "") {
  console.error("The idle bench needs KUBECONFIG.");
  process.exit(1);
}

/** Request counts by path, without query parameters. */
const requests = new Map<string, number>();
let connections = 0;
subscribe("http.client.request.start", (message) => {
  const { request } = message as { readonly request: { readonly path: string } };
  const path = request.path.replace(/\?.*/, "");
  requests.set(path, (requests.get(path) ?? 0) + 1);
});
subscribe("net.client.socket", () => {
  connections += 1;
});

const session = new ClusterSession({
  loadClusters: () => Promise.resolve(openTestClusters()),
  clock: systemClock,
  random: Math.random,
  log: {
    ...{ debug: () => undefined, warn: console.warn, error: console.error },
    ...{ show: () => undefined, dispose: () => undefined },
  },
  clusterSettings: () => ({ kubeconfigFiles: [kubeconfig], mayRunPlugins: true }),
  chosenContext: () => undefined,
  chosenNamespaces: () => namespaces,
  furtherContexts: () => ({}),
  watchFiles: () => disposable(() => undefined),
});
await session.loaded(AbortSignal.timeout(30_000));
// Let the remaining startup work finish, so that it is not measured.
await wait(settleMs);
const atStart = [...requests].map(([path, count]) => `${path} ${count}`).join(", ");
console.log(
  `${namespaces.length} namespaces, until the first model: ${connections} connections; ${atStart}`,
);
requests.clear();
connections = 0;
const before = process.cpuUsage();
await wait(idleMs);
const { user, system } = process.cpuUsage(before);
session.dispose();

const minutes = idleMs / 60_000;
const requestsOfOne = Math.max(0, ...requests.values());
console.log(
  `${minutes} idle minutes: at most ${((requestsOfOne / minutes) * 4).toFixed(2)} requests in 4 min of one watch, ` +
    `${connections} connections opened, ${((user + system) / 1000 / minutes).toFixed(1)} ms of CPU time per minute`,
);
for (const [path, count] of requests) console.log(`  ${count} × ${path}`);
const targets = new Targets();
targets.atMost(
  "requests of one watch in 4 min",
  (requestsOfOne / minutes) * 4,
  maxRequests,
  "requests",
);
targets.atMost("connections opened", connections, 0, "connections");
targets.atMost("process CPU time a minute", (user + system) / 1000 / minutes, maxCpuMs, "ms");
targets.end();
