// Measures how fast code reaches a driver pod: our submission and kubectl take turns on the same cluster. Needs
// KUBECONFIG, SPARK_K8S_IMAGE and kubectl.
import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inEnglish } from "../../src/base/message.ts";
import { sendCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { DeliveryChoice } from "../../src/spark/submit/code/chooseDelivery.ts";
import type { SubmissionPlan } from "../../src/spark/submit/plan/submissionPlan.ts";
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import { codeRequest } from "../../src/spark/submit/code/codeRequest.ts";
import { planSubmission } from "../../src/spark/submit/plan/prepareSubmission.ts";
import { resolveSubmission } from "../../src/spark/submit/plan/resolveSubmission.ts";
import { sparkVersionOfImage } from "../../src/spark/submit/conf/sparkVersion.ts";
import { codeCollector } from "../../src/storage/code/codeCollector.ts";
import { fileUploads } from "../../src/storage/fileUploads.ts";
import { localDisk } from "../../src/storage/localDisk.ts";
import { connectTo, openTestClusters } from "../cluster/testConnection.ts";
import { makeTestNamespace } from "../cluster/testNamespace.ts";
import { createPod, deletePod, receiverPod } from "./code/receivers.ts";
import { measureUnchanged } from "./code/unchangedFile.ts";
import type { SenderReport } from "./code/sender.ts";
import { StallWatch } from "./pods/stallWatch.ts";
import { PodArrivals } from "./pods/podArrivals.ts";
import { isSmallest, Targets } from "./targets.ts";

const run = promisify(execFile);
const mebibyte = 2 ** 20;
const fileCount = 200;
const runs = isSmallest ? 1 : 5;
const copies = isSmallest ? 1 : 3;
const copiedBytes = (isSmallest ? 8 : 300) * mebibyte;
const streamedBytes = (isSmallest ? 32 : 1024) * mebibyte;
const frameMs = 16;
const kubeconfig = process.env["KUBECONFIG"] ?? "";
const image = process.env["SPARK_K8S_IMAGE"] ?? "";
const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0;
if (kubeconfig === "" || image === "" || !hasKubectl) {
  console.error("The code bench needs KUBECONFIG, SPARK_K8S_IMAGE and kubectl.");
  process.exit(1);
}

const clusters = openTestClusters();
const connection = await connectTo(clusters, kubeconfig);
const namespace = await makeTestNamespace(connection, `spark-k8s-bench-code-${process.pid}`);
const folder = await mkdtemp(join(tmpdir(), "spark-k8s-bench-code-"));
const watcher = await connectTo(clusters, kubeconfig);
const arrivals = new PodArrivals(watcher, namespace.name);
try {
  const targets = new Targets();
  await writeProject();
  await measureRuns(targets);
  await measureStreams(targets);
  await measureUnchanged(targets, copiedBytes);
  targets.end();
} finally {
  await arrivals.stop();
  await namespace.remove();
  clusters.dispose();
  await rm(folder, { recursive: true });
}

// ---- A project of 200 files ----------------------------------------------------------------------

/** Writes a program that prints the time when it starts and then imports 199 modules of the project. */
async function writeProject(): Promise<void> {
  const names = Array.from({ length: fileCount - 1 }, (_, index) => `part${index}`);
  const module = (index: number): string =>
    `"""Rows of part ${index}."""\n${Array.from({ length: 40 }, (_, at) => `def row_${index}_${at}(value):\n    return value * ${at} + ${index}\n`).join("\n")}`;
  const main = `import time\nprint("first line", time.time(), flush=True)\n${names.map((name) => `import shop.${name}\n`).join("")}`;
  const files = [
    ["main.py", main],
    ...names.map((name, index) => [`shop/${name}.py`, module(index)] as const),
  ] as const;
  for (const [name, text] of files) {
    const path = join(folder, "project", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

type Way = Exclude<DeliveryChoice, "automatic"> | "kubectl";

async function measureRuns(targets: Targets): Promise<void> {
  const storedMs: number[] = [];
  const firstLines = { configMap: [], stream: [], kubectl: [] } satisfies Record<Way, number[]>;
  const lines: Record<Way, number[]> = firstLines;
  const stalls = new StallWatch();
  // Warm-up: the first run includes the compilation of the client's JavaScript.
  await measureRun("configMap");
  stalls.reset();
  const ways: readonly Way[] = isSmallest ? ["configMap"] : ["kubectl", "configMap", "stream"];
  for (let round = 0; round < runs; round += 1) {
    for (const way of ways) {
      const { stored, firstLine } = await measureRun(way);
      if (way !== "kubectl") storedMs.push(stored);
      lines[way].push(firstLine);
    }
  }
  stalls.stop();
  const { ms, computedMs = ms } = stalls.longest;
  targets.atMost(
    `${fileCount} files, command to driver pod stored`,
    median(storedMs) / 1000,
    0.5,
    "s",
  );
  for (const [way, limit] of [
    ["configMap", 0.5],
    ["stream", 2.5],
  ] as const) {
    if (lines[way].length === 0 || lines.kubectl.length === 0) continue;
    console.log(
      `first line of the program: ${way} ${seconds(lines[way])}, code in the pod's ConfigMap by kubectl ${seconds(lines.kubectl)}`,
    );
    targets.atMost(
      `first line, ${way} after kubectl`,
      (median(lines[way]) - median(lines.kubectl)) / 1000,
      limit,
      "s",
    );
  }
  targets.atMost("longest computation during runs", computedMs, frameMs, "ms");
}

/** Returns the milliseconds from the command to the stored driver pod, and to the program's first line. */
async function measureRun(
  way: Way,
): Promise<{ readonly stored: number; readonly firstLine: number }> {
  const name = `bench-${randomBytes(4).toString("hex")}`;
  const arrival = arrivals.next(name);
  let start = performance.now();
  let wall = Date.now();
  let uid = "";
  const plan = await planOf(name, way === "kubectl" ? "configMap" : way);
  if (way === "kubectl") {
    const manifests = plan.writes.map(({ manifest }) => manifest);
    const file = join(folder, `${name}.json`);
    // The pod comes last, so its ConfigMaps exist before it starts.
    const items = manifests.toSorted((a, b) => Number(a.kind === "Pod") - Number(b.kind === "Pod"));
    await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    start = performance.now();
    wall = Date.now();
    await run("kubectl", ["apply", "--server-side", "-n", namespace.name, "-f", file]);
    const pod = ["get", "pod", plan.identity.driverPodName, "-n", namespace.name];
    uid = (await run("kubectl", [...pod, "-o", "jsonpath={.metadata.uid}"])).stdout;
  } else {
    const ports = {
      objects: connection.objects,
      uploads: fileUploads,
      clock: systemClock,
      sendCode: (pod: Parameters<typeof sendCode>[0], files: Parameters<typeof sendCode>[1]) =>
        sendCode(
          pod,
          files,
          {
            objects: connection.objects,
            exec: connection.exec,
            collector: codeCollector,
            clock: systemClock,
          },
          { waiting: () => undefined, sent: () => undefined },
          AbortSignal.timeout(120_000),
        ),
    };
    const submitted = await submitPlan(plan, ports, AbortSignal.timeout(120_000));
    if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
    ({ uid } = submitted.value.driverPod);
  }
  const storedAt = await arrival;
  const printedAt = await firstLineOf(plan.identity.driverPodName);
  await deletePod(connection, {
    namespace: namespace.name,
    name: plan.identity.driverPodName,
    uid,
  });
  return { stored: storedAt - start, firstLine: printedAt - wall };
}

async function planOf(name: string, choice: DeliveryChoice): Promise<SubmissionPlan> {
  const conf = {
    "spark.kubernetes.namespace": namespace.name,
    "spark.kubernetes.container.image": image,
    "spark.kubernetes.authenticate.driver.serviceAccountName": namespace.serviceAccount,
    "spark.kubernetes.driver.request.cores": "0.1",
    "spark.driver.memory": "600m",
  };
  const tokens = [
    ...["--master", `k8s://${connection.server}`, "--deploy-mode", "cluster", "--name", name],
    ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    join(folder, "project", "main.py"),
  ];
  const submission = parseSubmission({
    kind: "tokens",
    sparkVersion: sparkVersionOfImage(image) ?? "4.0.0",
    tokens,
  });
  const root = join(folder, "project");
  const environment = {
    environment: {},
    workingDirectory: root,
    userName: "bench",
    now: Date.now(),
    randomBytes,
    files: localDisk,
  };
  const resolved = resolveSubmission(submission, environment);
  if (!resolved.ok)
    throw new Error(resolved.error.map(({ message }) => inEnglish(message)).join("\n"));
  const request = codeRequest(resolved.value);
  if (request === undefined) throw new Error("nothing to send");
  const signal = AbortSignal.timeout(60_000);
  const sent = await codeCollector.collect(request, { root, include: [], exclude: [] }, signal);
  if (!sent.ok) throw new Error(sent.error.detail);
  const plan = planSubmission(resolved.value, { code: { sent: sent.value, choice } });
  if (!plan.ok) throw new Error(plan.error.map(({ message }) => inEnglish(message)).join("\n"));
  return plan.value;
}

/** Returns when the program printed, in epoch ms of the node's clock. Use only differences between runs. */
async function firstLineOf(pod: string): Promise<number> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const { stdout } = await run("kubectl", ["logs", "-n", namespace.name, pod]).catch(() => ({
      stdout: "",
    }));
    const found = /first line ([\d.]+)/.exec(stdout)?.[1];
    if (found !== undefined) return Number(found) * 1000;
    await systemClock.sleep(500, new AbortController().signal);
  }
  throw new Error(`the driver "${pod}" printed nothing`);
}

// ---- Streams -------------------------------------------------------------------------------------

async function measureStreams(targets: Targets): Promise<void> {
  const file = join(folder, "random.bin");
  await writeFile(file, randomBytes(copiedBytes));
  const ours: number[] = [];
  const released: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < copies; round += 1) {
    theirs.push(await copyByKubectl(file));
    const sent = await stream(file);
    ours.push(sent.seconds);
    released.push(sent.releaseSeconds * 1000);
  }
  console.log(
    `${copiedBytes / mebibyte} MiB: ${seconds(ours.map((s) => s * 1000))}, kubectl cp ${seconds(theirs.map((s) => s * 1000))}`,
  );
  console.log(`end of the init container after the stream: ${seconds(released)}`);
  targets.atLeast(
    "stream throughput, with verification",
    median(theirs) / median(ours),
    1,
    "times that of kubectl cp",
  );
  await rm(file);
  const large = join(folder, "large.bin");
  await writeFile(large, new Uint8Array(streamedBytes));
  const { grownBytes, computedMs } = await stream(large);
  await rm(large);
  const size = `${streamedBytes / mebibyte} MiB stream`;
  targets.atMost(`${size}, growth of the process`, grownBytes / mebibyte, 32, "MiB");
  targets.atMost(`${size}, longest computation`, computedMs, frameMs, "ms");
}

async function stream(file: string): Promise<SenderReport> {
  const sender = join(import.meta.dirname, "code", "sender.ts");
  const { stdout } = await run(process.execPath, [
    "--expose-gc",
    sender,
    namespace.name,
    image,
    file,
  ]);
  return JSON.parse(stdout) as SenderReport;
}

async function copyByKubectl(file: string): Promise<number> {
  const manifest = receiverPod(`copy-${randomBytes(3).toString("hex")}`, image, "copy");
  const pod = await createPod(connection, namespace.name, manifest);
  const own = ["-n", namespace.name];
  await run("kubectl", [
    ...own,
    "wait",
    "--for=condition=Ready",
    "--timeout=90s",
    `pod/${pod.name}`,
  ]);
  const start = performance.now();
  await run("kubectl", [...own, "cp", file, `${pod.name}:/opt/spark-k8s/code/copied.bin`]);
  const took = (performance.now() - start) / 1000;
  await deletePod(connection, pod);
  return took;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function seconds(values: readonly number[]): string {
  const [least, most] = [Math.min(...values) / 1000, Math.max(...values) / 1000];
  return `${(median(values) / 1000).toFixed(2)} s (${least.toFixed(2)} to ${most.toFixed(2)})`;
}
