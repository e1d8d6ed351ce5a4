// All executor pods of a large namespace on a real API server: the first model, its memory and its longest stall,
// then what a minute of changes costs. Ours beside client-node's informer and `kubectl get pods`, in turns, of which
// the median counts.
// Needs KUBECONFIG of a cluster that may hold them; SPARK_K8S_BENCH_PODS says how many (50,000).
// The pods are of a scheduler that nobody runs, so that they need no node.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "../../src/engine/ports.ts";
import { sparkPodSelector } from "../../src/spark/labels.ts";
import type { Manifest } from "../../src/spark/submit/manifest.ts";
import { connectTo, openTestClusters } from "../cluster/testConnection.ts";
import { makeTestNamespace } from "../cluster/testNamespace.ts";
import { sentLabel } from "./pods/sentLabel.ts";

const count = Number(process.env["SPARK_K8S_BENCH_PODS"] ?? "50000");
const churnMs = Number(process.env["SPARK_K8S_BENCH_CHURN_S"] ?? "60") * 1000;
const churnShare = 0.1;
const rounds = Number(process.env["SPARK_K8S_BENCH_RUNS"] ?? "3");
const settleMs = 5_000;
const kubeconfig = process.env["KUBECONFIG"] ?? "";
if (kubeconfig === "") {
  console.error("The pods bench needs KUBECONFIG.");
  process.exit(1);
}

const clusters = openTestClusters();
const connect = (): Promise<Connection> => connectTo(clusters, kubeconfig);

const never = new AbortController().signal;
const plain = { dryRun: false, charset: false };
const writers = await Promise.all(Array.from({ length: 8 }, connect));
const [first] = writers;
if (first === undefined) throw new Error("no connection");
const namespace = await makeTestNamespace(first, `spark-k8s-bench-${process.pid}`);
try {
  await makePods();
  // What was written just now keeps the server busy for a while.
  await wait(settleMs);
  const told = new Map<string, Model[]>();
  const note = (name: string, model: Model | undefined): void => {
    if (model !== undefined) told.set(name, [...(told.get(name) ?? []), model]);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, who] of [
      ["ours", "ours"],
      ["client-node informer", "informer"],
    ] as const) {
      const reader = await startReader(who);
      note(name, reader.model);
      reader.end();
    }
    note("kubectl get pods", await timeKubectl());
  }
  for (const [name, models] of told) console.log(describe(name, medianOf(models)));
  const ours = await startReader("ours");
  await churn();
  await wait(1_000);
  const updates = await ours.updates();
  const sorted = updates.latencies.sort((a, b) => a - b);
  const percentile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  console.log(
    `${sorted.length} updates in ${churnMs / 1000} s: from the request to our model p50 ${percentile(0.5)} ms, ` +
      `p99 ${percentile(0.99)} ms, longest stall ${updates.stallMs.toFixed(1)} ms, ` +
      `heap ${(updates.heap / count).toFixed(0)} bytes a pod`,
  );
  ours.end();
} finally {
  await namespace.remove();
  clusters.dispose();
}

interface Model {
  readonly pods: number;
  readonly ms: number;
  readonly stallMs: number | undefined;
  readonly peak: number;
  readonly heap: number | undefined;
}

/** The run whose time lies in the middle. */
function medianOf(models: readonly Model[]): Model {
  const sorted = models.toSorted((a, b) => a.ms - b.ms);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new Error("no run");
  return middle;
}

function describe(name: string, { pods, ms, stallMs, peak, heap }: Model): string {
  const stall = stallMs === undefined ? "" : `, longest stall ${stallMs.toFixed(1)} ms`;
  const held = heap === undefined ? "" : `, heap ${(heap / pods).toFixed(0)} bytes a pod`;
  return `${name.padEnd(22)} ${pods} pods in ${ms.toFixed(0)} ms, memory +${(peak / 2 ** 20).toFixed(0)} MiB${stall}${held}`;
}

function podOf(index: number): Manifest {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `bench-exec-${index}`,
      labels: {
        "spark-app-selector": "spark-bench",
        "spark-app-name": "bench",
        "spark-role": "executor",
        "spark-exec-id": String(index),
        "spark-exec-resourceprofile-id": "0",
        "spark-version": "4.3.0",
      },
    },
    spec: {
      schedulerName: "nobody",
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      containers: [
        {
          name: "spark-kubernetes-executor",
          image: "spark:4.3.0",
          args: ["executor"],
          env: Array.from({ length: 14 }, (_, at) => ({
            name: `SPARK_SETTING_${at}`,
            value: `a value of ordinary length, number ${at}`,
          })),
          resources: { requests: { cpu: "1", memory: "1408Mi" }, limits: { memory: "1408Mi" } },
        },
      ],
    },
  };
}

/** Each writer does its share, several requests at a time. */
async function spread(total: number, write: (at: Connection, index: number) => Promise<void>) {
  let next = 0;
  const work = async (connection: Connection): Promise<void> => {
    for (let index = next++; index < total; index = next++) await write(connection, index);
  };
  await Promise.all(writers.flatMap((writer) => [work(writer), work(writer), work(writer)]));
}

async function makePods(): Promise<void> {
  const began = performance.now();
  await spread(count, async (connection, index) => {
    for (let attempt = 0; ; attempt += 1) {
      const made = await connection.objects.create(namespace.name, podOf(index), plain, never);
      if (made.ok || made.error.kind === "conflict") return;
      if (attempt >= 5) throw new Error(made.error.detail);
      await wait(500 * 2 ** attempt);
    }
  });
  console.log(`${count} pods made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

/** Changes a tenth of the pods each minute, evenly. */
async function churn(): Promise<void> {
  const perSecond = (count * churnShare) / 60;
  const until = performance.now() + churnMs;
  let done = 0;
  for (const began = performance.now(); performance.now() < until;) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    const batch: Promise<unknown>[] = [];
    for (; done < due; done += 1) batch.push(touch((done * 7919) % count, done));
    await Promise.all(batch);
    await wait(20);
  }
}

async function touch(index: number, turn: number): Promise<void> {
  const writer = writers[turn % writers.length] ?? first;
  const labels = { [sentLabel]: String(Date.now()) };
  const manifest: Manifest = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `bench-exec-${index}`, labels },
  };
  const options = { ...plain, fieldManager: "bench", force: true };
  await writer?.objects.apply(namespace.name, manifest, options, never);
}

interface Reader {
  readonly model: Model;
  updates(): Promise<{ latencies: number[]; stallMs: number; heap: number }>;
  end(): void;
}

async function startReader(who: "ours" | "informer"): Promise<Reader> {
  const script = join(import.meta.dirname, "pods", "reader.ts");
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--max-old-space-size=8192", script, who, namespace.name, String(count)],
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
  const child: ChildProcess = spawn(
    "kubectl",
    ["get", "pods", "-n", namespace.name, "-l", sparkPodSelector, "--no-headers"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
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
  try {
    await once(child, "close");
  } catch {
    console.log("kubectl is not on the PATH");
    return undefined;
  } finally {
    clearInterval(looking);
  }
  return { pods, ms: performance.now() - began, stallMs: undefined, peak, heap: undefined };
}
