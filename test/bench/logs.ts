// Follows the logs of many containers to their end and compares ours with `kubectl logs -f --prefix`, and with stern if
// it is on the PATH. Parts: "flood" reads complete logs, "steady" one line a second from each container, and "cuts" a
// flood with interrupted connections. "forward" compares port forwarding with `kubectl port-forward`. The tools run one
// after another, each in its own process. Needs KUBECONFIG and SPARK_K8S_IMAGE. SPARK_K8S_BENCH_STREAMS sets the
// numbers of streams (default: 1,50,200), SPARK_K8S_BENCH_PARTS the parts (default: flood,steady,cuts,forward).
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { relayApiServer } from "../cluster/apiOutage.ts";
import { connectTo, openTestClusters } from "../cluster/testConnection.ts";
import { makeTestNamespace } from "../cluster/testNamespace.ts";
import { forwardPorts } from "./logs/forward.ts";
import { describeCost, measure, tools, type Cost, type Tool } from "./logs/tools.ts";
import { removeWriters, startWriters } from "./logs/writers.ts";
import { isSmallest, Targets } from "./targets.ts";

const kubeconfig = process.env["KUBECONFIG"] ?? "";
const image = process.env["SPARK_K8S_IMAGE"] ?? "";
if (kubeconfig === "" || image === "") {
  console.error("The logs bench needs KUBECONFIG and SPARK_K8S_IMAGE.");
  process.exit(1);
}
const counts = (process.env["SPARK_K8S_BENCH_STREAMS"] ?? (isSmallest ? "3" : "1,50,200"))
  .split(",")
  .map(Number);
const parts = (process.env["SPARK_K8S_BENCH_PARTS"] ?? "flood,steady,cuts,forward").split(",");
const forwardMiB = Number(
  process.env["SPARK_K8S_BENCH_FORWARD_MIB"] ?? (isSmallest ? "8" : "1024"),
);
const linesOfAll = isSmallest ? 6_000 : 400_000;
// The kubelet rotates a container log at 10 MB by default, and older lines cannot be read any more.
const maxLinesOfOne = 60_000;
const steadySeconds = isSmallest ? 3 : 15;
const cuts = isSmallest ? 1 : 5;
const cutStreams = isSmallest ? 3 : 20;
const targets = new Targets();

const clusters = openTestClusters();
const connection = await connectTo(clusters, kubeconfig);
const namespace = `spark-k8s-bench-logs-${process.pid}`;
const own = await makeTestNamespace(connection, namespace);
try {
  if (parts.includes("flood")) for (const count of counts) await flood(count);
  if (parts.includes("steady")) for (const count of counts) await steady(count);
  if (parts.includes("cuts")) await flood(cutStreams, true);
  if (parts.includes("forward")) {
    await forwardPorts({ connection, namespace, image, forwardMiB, targets });
  }
  targets.end();
} finally {
  await own.remove();
  clusters.dispose();
}

/**
 * Measures each tool on complete logs. The writers finish before the first tool starts, so all tools read the same
 * lines. With `isCut`, the connection is interrupted several times.
 */
async function flood(count: number, isCut = false): Promise<void> {
  const linesOfOne = Math.min(maxLinesOfOne, Math.round(linesOfAll / count));
  const label = `flood-${count}`;
  const line = "Added broadcast_1_piece0 in memory on node-3 (size: 4.2 KiB, free: 366.3 MiB)";
  const script = (writer: number): string =>
    `seq -f '26/01/02 03:04:05 INFO BlockManagerInfo: w${writer} l%.0f ${line}' 1 ${linesOfOne}`;
  await startWriters(connection, { namespace, image, label, count, scriptOf: script }, "Succeeded");
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-bench-"));
  const outage = await relayApiServer(kubeconfig, folder, undefined);
  const costs = new Map<Tool, Cost>();
  for (const tool of isCut ? tools : ([...tools, "ours, warm"] as const)) {
    const over = new AbortController();
    const cutting = isCut ? cutNowAndThen(outage, over.signal) : undefined;
    const reached = isCut ? outage.kubeconfig : kubeconfig;
    const cost = await measure(tool, { namespace, label, count, linesOfOne, kubeconfig: reached });
    over.abort();
    await cutting;
    const name = `flood${isCut ? ` over ${cuts} cuts` : ""}, ${count} streams, ${tool}`;
    console.log(describeCost(name, cost, count * linesOfOne));
    costs.set(tool, cost);
  }
  compare(`flood${isCut ? " over cuts" : ""}, ${count} streams`, costs);
  await outage.close();
  await rm(folder, { recursive: true });
  await removeWriters(namespace);
}

function compare(what: string, costs: ReadonlyMap<Tool, Cost>): void {
  const ours = costs.get("ours");
  if (ours === undefined) return;
  targets.atMost(`${what}, lines lost or doubled`, ours.lost + ours.doubled, 0, "lines");
  const peer = costs.get("kubectl");
  // kubectl loses lines when the connection is cut. Its rate is then not comparable.
  if (peer === undefined || peer.lost > 0) return;
  const ratio = ours.lines / ours.seconds / (peer.lines / peer.seconds);
  targets.atLeast(`${what}, rate beside kubectl`, ratio, 0.8, "times");
}

async function cutNowAndThen(
  outage: { begin(): Promise<void>; end(): Promise<void> },
  over: AbortSignal,
): Promise<void> {
  for (let cut = 0; cut < cuts && !over.aborted; cut += 1) {
    await wait(2_500);
    await outage.begin();
    await wait(300);
    await outage.end();
  }
}

/** Measures each tool on writers that log a line per second. Each tool gets new writers. */
async function steady(count: number): Promise<void> {
  for (const tool of tools) {
    const label = `steady-${count}-${tool}`;
    const script = (writer: number): string =>
      `n=0; while [ $n -lt ${steadySeconds} ]; do n=$((n+1)); echo "26/01/02 03:04:05 INFO Executor: w${writer} l$n done"; sleep 1; done`;
    await startWriters(connection, { namespace, image, label, count, scriptOf: script }, "Running");
    const order = { namespace, label, count, linesOfOne: steadySeconds, kubeconfig };
    const cost = await measure(tool, order);
    console.log(describeCost(`steady, ${count} streams, ${tool}`, cost, count * steadySeconds));
    await removeWriters(namespace);
  }
}
