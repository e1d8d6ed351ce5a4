// Logs of many containers read to their end, and one line a second from each, ours beside `kubectl logs -f --prefix`
// on the same API server; then a forwarded port beside `kubectl port-forward`. In turns, in processes of their own.
// Needs KUBECONFIG and SPARK_K8S_IMAGE; SPARK_K8S_BENCH_STREAMS says how many streams (1,50,200).
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { openClusters } from "../../src/cluster/door.ts";
import type { Connection } from "../../src/engine/ports.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { Manifest } from "../../src/spark/submit/manifest.ts";
import { makeTestNamespace } from "../cluster/testNamespace.ts";

const kubeconfig = process.env["KUBECONFIG"] ?? "";
const image = process.env["SPARK_K8S_IMAGE"] ?? "";
if (kubeconfig === "" || image === "") {
  console.error("The logs bench needs KUBECONFIG and SPARK_K8S_IMAGE.");
  process.exit(1);
}
const counts = (process.env["SPARK_K8S_BENCH_STREAMS"] ?? "1,50,200").split(",").map(Number);
const linesOfOne = 10_000;
const steadySeconds = 15;
const forwardMiB = Number(process.env["SPARK_K8S_BENCH_FORWARD_MIB"] ?? "1024");
const containersOfPod = 20;

const clusters = openClusters({
  clock: systemClock,
  random: Math.random,
  env: process.env,
  homeDirectory: "/",
  userAgent: "spark-k8s-bench",
  log: () => undefined,
});
const settings = { kubeconfigFiles: [kubeconfig], mayRunPlugins: true };
const connected = await clusters.connect(undefined, settings, AbortSignal.timeout(10_000));
if (!connected.ok) throw new Error(connected.error.detail);
const connection: Connection = connected.value;
const plain = { dryRun: false, charset: false };
const namespace = `spark-k8s-bench-logs-${process.pid}`;
const own = await makeTestNamespace(connection, namespace);
try {
  for (const count of counts) {
    const line =
      "26/01/02 03:04:05 INFO BlockManagerInfo: Added broadcast_1_piece0 in memory on node-3 (size: 4.2 KiB, free: 366.3 MiB)";
    await streams(count, "flood", `yes '${line}' | head -n ${linesOfOne}`);
  }
  for (const count of counts) {
    const script = `n=0; while [ $n -lt ${steadySeconds} ]; do n=$((n+1)); echo "26/01/02 03:04:05 INFO Executor: task $n"; sleep 1; done`;
    await streams(count, "steady", script);
  }
  await forward();
} finally {
  await own.remove();
  clusters.dispose();
}

interface Cost {
  readonly lines: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly memory: number;
  readonly stallMs: number | undefined;
}

async function streams(count: number, kind: "flood" | "steady", script: string): Promise<void> {
  const expected = count * (kind === "flood" ? linesOfOne : steadySeconds);
  const tools = { ours: "ours", kubectl: "kubectl" } as const;
  for (const tool of [tools.kubectl, tools.ours]) {
    // A flood is over before it is read, so that both read the same; of a steady log each reads its own.
    const label = `${kind}-${count}${kind === "steady" ? `-${tool}` : ""}`;
    if (kind === "steady" || tool === tools.kubectl) {
      await start(count, label, script, kind === "flood" ? "Succeeded" : "Running");
    }
    const cost = await measure(tool, label);
    console.log(describe(`${kind}, ${count} streams, ${tool}`, cost, expected));
  }
  await clean();
}

function describe(name: string, cost: Cost, expected: number): string {
  const { lines, seconds, cpuSeconds, memory, stallMs } = cost;
  const rate = Math.round(lines / seconds).toLocaleString("en-US");
  const cpu = ((cpuSeconds / Math.max(1, lines)) * 1e6).toFixed(1);
  const stall = stallMs === undefined ? "" : `, longest stall ${stallMs.toFixed(1)} ms`;
  return (
    `${name.padEnd(30)} ${lines} of ${expected} lines in ${seconds.toFixed(2)} s: ${rate} a second, ` +
    `${cpu} µs CPU a line, memory ${(memory / 2 ** 20).toFixed(0)} MiB${stall}`
  );
}

async function start(count: number, label: string, script: string, phase: string): Promise<void> {
  const pods = Math.ceil(count / containersOfPod);
  for (let pod = 0; pod < pods; pod += 1) {
    const containers = Math.min(containersOfPod, count - pod * containersOfPod);
    const manifest: Manifest = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: `${label}-${pod}`, labels: { bench: label } },
      spec: {
        restartPolicy: "Never",
        terminationGracePeriodSeconds: 0,
        automountServiceAccountToken: false,
        containers: Array.from({ length: containers }, (_, index) => ({
          name: `c${index}`,
          image,
          imagePullPolicy: "IfNotPresent",
          command: ["/bin/sh", "-c", script],
        })),
      },
    };
    const made = await connection.objects.create(
      namespace,
      manifest,
      plain,
      AbortSignal.timeout(20_000),
    );
    if (!made.ok) throw new Error(made.error.detail);
  }
  for (;;) {
    const listed = await connection.objects.list(
      { apiVersion: "v1", kind: "Pod" },
      namespace,
      `bench=${label}`,
      AbortSignal.timeout(20_000),
    );
    const phases = listed.ok
      ? listed.value.map(({ body }) => (body as { status?: { phase?: string } }).status?.phase)
      : [];
    if (phases.filter((one) => one === phase || one === "Succeeded").length === pods) return;
    await wait(300);
  }
}

async function clean(): Promise<void> {
  spawnSync("kubectl", ["delete", "pods", "--all", "--force", "--grace-period=0", "-n", namespace]);
  await wait(1_000);
}

async function measure(tool: "ours" | "kubectl", label: string): Promise<Cost> {
  const began = performance.now();
  const reader = join(dirname(fileURLToPath(import.meta.url)), "logs/reader.ts");
  const [program, args] =
    tool === "ours"
      ? [process.execPath, [reader, namespace, label]]
      : [
          "kubectl",
          [
            ...[
              "logs",
              "-f",
              "--prefix",
              "-n",
              namespace,
              "-l",
              `bench=${label}`,
              "--all-containers",
            ],
            ...["--tail=-1", "--max-log-requests=500"],
          ],
        ];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  let lines = 0;
  let lastAt = began;
  child.stdout.on("data", (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    lastAt = performance.now();
  });
  const usage = watchUsage(child);
  await once(child, "exit");
  const { cpuSeconds, memory } = await usage;
  const stall = /stall ([\d.]+)/.exec(said.join(""))?.[1];
  const seconds = (lastAt - began) / 1000;
  return {
    lines,
    seconds,
    cpuSeconds,
    memory,
    stallMs: stall === undefined ? undefined : Number(stall),
  };
}

/** Of Linux: the ticks that a process has used up to its last look, and its largest size. */
async function watchUsage(child: ChildProcess): Promise<{ cpuSeconds: number; memory: number }> {
  let [cpuSeconds, memory] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const fields = (await readFile(`/proc/${child.pid}/stat`, "utf8")).split(") ")[1]?.split(" ");
      const ticks = Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0);
      cpuSeconds = Math.max(cpuSeconds, ticks / 100);
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // It has ended between two looks.
    }
    await wait(20);
  }
  return { cpuSeconds, memory };
}

async function forward(): Promise<void> {
  const script =
    "import socket,threading\ns=socket.socket();s.setsockopt(1,2,1);s.bind(('',8000));s.listen(128)\n" +
    "b=bytes(1<<20)\n" +
    `def serve(c):\n n=int(c.recv(16));\n for _ in range(n): c.sendall(b)\n c.close()\n` +
    "while True:\n c,_=s.accept(); threading.Thread(target=serve,args=(c,)).start()";
  const manifest: Manifest = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "source", labels: { bench: "source" } },
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: "main",
          image,
          imagePullPolicy: "IfNotPresent",
          command: ["python3", "-c", script],
        },
      ],
    },
  };
  await connection.objects.create(namespace, manifest, plain, AbortSignal.timeout(20_000));
  await wait(8_000);
  const local = await clusters.forward({
    localPort: undefined,
    dial: (signal) => connection.ports.open({ namespace, name: "source", port: 8000 }, signal),
    changed: () => undefined,
    failed: ({ detail }) => {
      console.error(detail);
    },
  });
  const kubectl = spawn("kubectl", ["port-forward", "-n", namespace, "pod/source", "18000:8000"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(kubectl.stdout, "data");
  try {
    for (const [name, port] of [
      ["kubectl", 18_000],
      ["ours", local.localPort],
    ] as const) {
      for (const connections of [1, 64]) {
        const began = performance.now();
        const each = Math.ceil(forwardMiB / connections);
        const received = await Promise.all(
          Array.from({ length: connections }, () => fetchBytes(port, each)),
        );
        const seconds = (performance.now() - began) / 1000;
        const bytes = received.reduce((sum, one) => sum + one, 0);
        console.log(
          `port-forward, ${connections} connections, ${name}: ${(bytes / 2 ** 20).toFixed(0)} MiB in ` +
            `${seconds.toFixed(1)} s: ${(bytes / 2 ** 20 / seconds).toFixed(0)} MiB a second`,
        );
      }
    }
  } finally {
    kubectl.kill();
    local.dispose();
  }
}

async function fetchBytes(port: number, mebibytes: number): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  socket.on("error", () => undefined);
  socket.write(String(mebibytes));
  await once(socket, "close");
  return bytes;
}
