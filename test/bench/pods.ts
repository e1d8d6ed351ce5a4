// Reads all executor pods of a large namespace from a real API server. Measures the time to the first complete model,
// its memory and the longest stall of the event loop, then the cost of a minute of pod changes. Compares the medians
// with client-node's informer, `kubectl get pods`, and reading the bytes without parsing. Needs KUBECONFIG of a cluster
// that can store the pods.
// SPARK_K8S_BENCH_PODS: number of pods (default: 50,000).
// SPARK_K8S_BENCH_RUNS: runs of each reader (default: 3); 0 skips the comparison.
// SPARK_K8S_BENCH_CHURN_S: seconds of pod changes (default: 60).
// SPARK_K8S_BENCH_NAMESPACE: namespace whose pods are reused and kept; only missing ones are created.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { sparkPodSelector } from "../../src/spark/labels.ts";
import { connectTo, openTestClusters } from "../cluster/testConnection.ts";
import { makeTestNamespace } from "../cluster/testNamespace.ts";
import { changePods, makePods, type ManyPods } from "./pods/manyPods.ts";
import { describeStall, type Stall } from "./pods/stallWatch.ts";
import { isSmallest, Targets } from "./targets.ts";

const count = Number(process.env["SPARK_K8S_BENCH_PODS"] ?? (isSmallest ? "200" : "50000"));
const churnMs = Number(process.env["SPARK_K8S_BENCH_CHURN_S"] ?? (isSmallest ? "5" : "60")) * 1000;
const churnShare = isSmallest ? 5 : 0.1;
const rounds = Number(process.env["SPARK_K8S_BENCH_RUNS"] ?? (isSmallest ? "1" : "3"));
const settleMs = 5_000;
const maxStallMs = 50;
const targets = new Targets();
const heapLooks = 5;
const kubeconfig = process.env["KUBECONFIG"] ?? "";
if (kubeconfig === "") {
  console.error("The pods bench needs KUBECONFIG.");
  process.exit(1);
}

const readers = {
  "bytes alone, messages": "messages",
  "bytes alone, JSON": "json",
  ours: "ours",
  "client-node informer": "informer",
} as const;

const clusters = openTestClusters();
const writers = await Promise.all(Array.from({ length: 8 }, () => connectTo(clusters, kubeconfig)));
const kept = process.env["SPARK_K8S_BENCH_NAMESPACE"];
const [first] = writers;
if (first === undefined) throw new Error("no connection");
const own = kept ?? `spark-k8s-bench-${process.pid}`;
const isThere = kept !== undefined && (await exists(own));
const made = isThere ? undefined : await makeTestNamespace(first, own);
const many: ManyPods = { namespace: own, writers, count };
try {
  const began = performance.now();
  const missing = await makePods(many);
  console.log(`${missing} pods made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  // The API server stays busy for a few seconds after so many writes.
  if (missing > 0) await wait(settleMs);
  await compareFirstModels();
  await followChanges();
  targets.end();
} finally {
  if (kept === undefined) await made?.remove();
  clusters.dispose();
}

async function exists(name: string): Promise<boolean> {
  const namespace = { apiVersion: "v1", kind: "Namespace", namespace: name, name };
  return (await first?.objects.read(namespace, AbortSignal.timeout(10_000)))?.ok === true;
}

async function compareFirstModels(): Promise<void> {
  const told = new Map<string, Model[]>();
  const note = (name: string, model: Model | undefined): void => {
    if (model !== undefined) told.set(name, [...(told.get(name) ?? []), model]);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, who] of Object.entries(readers)) {
      const reader = await startReader(who);
      note(name, reader.model);
      reader.end();
    }
    note("kubectl get pods", await timeKubectl());
  }
  const medians = [...told].map(([name, models]) => ({ name, ...medianOf(models) }));
  for (const model of medians) console.log(describe(model.name, model));
  const ours = medians.find(({ name }) => name === "ours");
  for (const peer of medians) {
    if (ours === undefined || peer === ours) continue;
    const [time, memory] = [ours.ms / peer.ms, ours.peak / peer.peak];
    console.log(
      `ours : ${peer.name} = ${time.toFixed(2)} of the time, ${memory.toFixed(2)} of the memory`,
    );
    if (peer.name.startsWith("bytes")) continue;
    const [mostTime, mostMemory] = peer.name === "client-node informer" ? [0.5, 0.25] : [1, 1];
    targets.atMost(`time beside ${peer.name}`, time, mostTime, "times");
    targets.atMost(`memory beside ${peer.name}`, memory, mostMemory, "times");
  }
}

async function followChanges(): Promise<void> {
  const reader = await startReader("ours");
  for (let look = 1; look <= heapLooks; look += 1) {
    await changePods(many, { aMinute: churnShare, forMs: churnMs / heapLooks });
    await wait(1_000);
    const { latencies, stall, heap } = await reader.updates();
    const sorted = latencies.sort((a, b) => a - b);
    const percentile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
    console.log(
      `${sorted.length} updates in ${churnMs / heapLooks / 1000} s: from the request to our tree p50 ${percentile(0.5)} ms, ` +
        `p99 ${percentile(0.99)} ms, ${describeStall(stall)}, ` +
        `heap ${(heap / count).toFixed(0)} bytes a pod`,
    );
    const { computedMs } = stall;
    if (computedMs !== undefined)
      targets.atMost("longest computation during changes", computedMs, maxStallMs, "ms");
  }
  reader.end();
}

interface Model {
  readonly pods: number;
  readonly ms: number;
  readonly stall: Stall | undefined;
  readonly peak: number;
  readonly heap: number | undefined;
}

/** Returns the run with the median time. */
function medianOf(models: readonly Model[]): Model {
  const sorted = models.toSorted((a, b) => a.ms - b.ms);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new Error("no run");
  return middle;
}

function describe(name: string, { pods, ms, stall, peak, heap }: Model): string {
  const stalled = stall === undefined ? "" : `, ${describeStall(stall)}`;
  const held = heap === undefined ? "" : `, heap ${(heap / pods).toFixed(0)} bytes a pod`;
  return `${name.padEnd(22)} ${pods} pods in ${ms.toFixed(0)} ms, memory +${(peak / 2 ** 20).toFixed(0)} MiB${stalled}${held}`;
}

interface Reader {
  readonly model: Model;
  updates(): Promise<{ latencies: number[]; stall: Stall; heap: number }>;
  end(): void;
}

async function startReader(who: (typeof readers)[keyof typeof readers]): Promise<Reader> {
  const script = join(import.meta.dirname, "pods", "reader.ts");
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--max-old-space-size=8192", script, who, own, String(count)],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async <T>(): Promise<T> => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`${who} has ended early`);
    return JSON.parse(line.value) as T;
  };
  const model = await nextLine<Model>();
  return {
    model,
    updates: () => {
      child.stdin.write("\n");
      return nextLine();
    },
    end: () => child.stdin.end(),
  };
}

async function timeKubectl(): Promise<Model | undefined> {
  const began = performance.now();
  const args = ["get", "pods", "-n", own, "-l", sparkPodSelector, "--no-headers"];
  const child: ChildProcess = spawn("kubectl", args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let pods = 0;
  let peak = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) pods += 1;
  });
  const looking = setInterval(() => {
    readFile(`/proc/${child.pid ?? 0}/status`, "utf8").then(
      (status) => {
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
      },
      () => undefined,
    );
  }, 50);
  const isDone = await once(child, "close").then(
    ([code]) => code === 0,
    () => false,
  );
  clearInterval(looking);
  if (!isDone) {
    console.log("kubectl is not on the PATH, or has failed");
    return undefined;
  }
  return { pods, ms: performance.now() - began, stall: undefined, peak, heap: undefined };
}
