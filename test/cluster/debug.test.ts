// Debugging on a real cluster: debugpy from the package index, and a client of the Debug Adapter Protocol.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ok } from "../../src/base/result.ts";
import { connectWhenReady } from "../../src/engine/debug/connectWhenReady.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import type { PodStream } from "../../src/engine/ports/channels.ts";
import { sendNoCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { DebugTarget, PythonDebugger } from "../../src/spark/submit/debug/debugRequest.ts";
import { pathMappings } from "../../src/spark/submit/debug/pathMappings.ts";
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import { codeToSend, prepareSubmission } from "../../src/spark/submit/plan/prepareSubmission.ts";
import type { SubmissionPlan } from "../../src/spark/submit/plan/submissionPlan.ts";
import { codeCollector, localDisk, pythonDebuggers } from "../../src/storage/door.ts";
import { eventually } from "../host/eventually.ts";
import { DapClient } from "./dapClient.ts";
import { requireCluster } from "./requireCluster.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image } = requireCluster();
const waitMs = 120_000;
const never = new AbortController().signal;

const program = `import sys
from pyspark.sql import SparkSession
from pyspark.sql.functions import udf
from shop.tax import tax

price = 20
taxed = tax(price)
if "udf" in sys.argv:
    spark = SparkSession.builder.getOrCreate()
    print(spark.range(1).select(udf(lambda x: str(tax(x)))("id")).collect())
sys.exit(7)
`;

describe("debugging", { timeout: 600_000 }, () => {
  let folder: string;
  let clusters: Clusters;
  let connection: Connection;
  let own: TestNamespace;
  let python: PythonDebugger;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-debug-"));
    await mkdir(join(folder, "shop"));
    await writeFile(join(folder, "etl.py"), program);
    await writeFile(join(folder, "shop/__init__.py"), "");
    await writeFile(
      join(folder, "shop/tax.py"),
      "def tax(x):\n    taxed = x * 2\n    return taxed\n",
    );
    clusters = openTestClusters();
    connection = await connectTo(clusters, kubeconfig);
    own = await makeTestNamespace(connection, `spark-k8s-debug-${process.pid}`);
    const options = { cacheFolder: join(folder, "cache"), pythons: ["python3"] };
    const debuggers = pythonDebuggers({ ...options, environment: process.env });
    const downloaded = await debuggers.download(AbortSignal.timeout(waitMs));
    if (!downloaded.ok) throw new Error(downloaded.error);
    python = downloaded.value;
  });
  after(async () => {
    await own.remove();
    clusters.dispose();
    await rm(folder, { recursive: true });
  });

  async function planOf(target: DebugTarget, args: readonly string[]): Promise<SubmissionPlan> {
    const conf = {
      "spark.kubernetes.namespace": own.name,
      "spark.kubernetes.container.image": image,
      "spark.kubernetes.authenticate.driver.serviceAccountName": own.serviceAccount,
      "spark.kubernetes.driver.request.cores": "0.1",
      "spark.kubernetes.executor.request.cores": "0.1",
      "spark.driver.memory": "512m",
      "spark.executor.memory": "512m",
      "spark.kubernetes.submission.waitAppCompletion": "false",
      "spark.sql.execution.pythonUDF.arrow.enabled": "false",
    };
    const tokens = [
      ...["--master", "k8s://https://kubernetes.default.svc", "--deploy-mode", "cluster"],
      ...["--name", "etl"],
      ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
      ...[join(folder, "etl.py"), ...args],
    ];
    const parsed = parseSubmission({ kind: "tokens", sparkVersion: "4.3.0", tokens });
    const surroundings = {
      environment: {},
      workingDirectory: folder,
      userName: "tester",
      now: Date.now(),
      randomBytes,
      files: localDisk,
      fetched: new Map(),
    };
    const request = codeToSend(parsed, surroundings);
    assert.ok(request);
    const rules = { root: folder, include: [], exclude: [] };
    const sent = await codeCollector.collect(request, rules, never);
    if (!sent.ok) throw new Error(sent.error.detail);
    const code = { sent: sent.value, choice: "automatic" } as const;
    const plan = prepareSubmission(parsed, { ...surroundings, code, debug: { target, python } });
    if (!plan.ok) throw new Error(plan.error.map(({ message }) => message).join("\n"));
    return plan.value;
  }

  async function submit(plan: SubmissionPlan): Promise<string> {
    const uploads = { copy: () => Promise.reject(new Error("nothing is uploaded")) };
    const { objects } = connection;
    const ports = { objects, uploads, clock: systemClock, sendCode: sendNoCode };
    const submitted = await submitPlan(plan, ports, AbortSignal.timeout(60_000));
    if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
    return submitted.value.driverPod.name;
  }

  /** Attaches through a forwarded port as an editor does. */
  async function attach(pod: string, port: number): Promise<DapClient> {
    const open = (signal: AbortSignal) =>
      connection.ports.open({ namespace: own.name, name: pod, port }, signal);
    const ready = await connectWhenReady(
      { open, protocol: "dap", clock: systemClock },
      AbortSignal.timeout(waitMs),
    );
    if (!ready.ok) throw new Error(ready.error.detail);
    let first: PodStream | undefined = ready.value;
    const forward = await clusters.forward({
      localPort: undefined,
      dial: (signal) => {
        const stream = first;
        first = undefined;
        return stream === undefined ? open(signal) : Promise.resolve(ok(stream));
      },
      changed: () => undefined,
      failed: () => undefined,
    });
    return DapClient.connect(forward.localPort);
  }

  async function exitCodeOf(name: string): Promise<unknown> {
    const pod = { apiVersion: "v1", kind: "Pod", namespace: own.name, name };
    const read = await connection.objects.read(pod, AbortSignal.timeout(10_000));
    return /"terminated":\{[^}]*"exitCode":(\d+)/.exec(
      JSON.stringify(read.ok ? read.value.body : ""),
    )?.[1];
  }

  test("stops a driver in its main file and in a module, and keeps its exit code", async () => {
    const plan = await planOf("driver", []);
    const pod = await submit(plan);
    const client = await attach(pod, 5678);
    const [main, module] = [join(folder, "etl.py"), join(folder, "shop/tax.py")];
    await client.attach(pathMappings(plan), { [main]: [7], [module]: [2] });
    const first = await client.stoppedAt("price");
    assert.deepEqual([first.path, first.line, first.value], [main, 7, "20"]);
    await client.request("continue", { threadId: first.threadId });
    const second = await client.stoppedAt("x");
    assert.deepEqual([second.path, second.line, second.value], [module, 2, "20"]);
    await client.request("continue", { threadId: second.threadId });
    await client.event("terminated");
    client.close();
    await eventually(
      "the exit code",
      () => exitCodeOf(pod),
      (code) => code === "7",
    );
  });

  test("stops a Python function in an executor", async () => {
    const plan = await planOf("executor", ["udf"]);
    const driver = await submit(plan);
    const request = {
      namespace: own.name,
      labelSelector: "spark-role=executor",
      resourceVersion: undefined,
      limit: 5,
      continueToken: undefined,
    };
    const find = async (): Promise<string> => {
      const listed = await connection.pods.listPods(request, AbortSignal.timeout(10_000));
      return (
        (listed.ok ? listed.value.pods : []).find(({ phase }) => phase === "Running")?.name ?? ""
      );
    };
    let executor = "";
    await eventually("an executor", find, (name) => (executor = name) !== "", waitMs);
    const client = await attach(executor, 5679);
    const module = join(folder, "shop/tax.py");
    await client.attach(pathMappings(plan), { [module]: [2] });
    const stopped = await client.stoppedAt("x");
    assert.deepEqual([stopped.path, stopped.line, stopped.value], [module, 2, "0"]);
    await client.request("continue", { threadId: stopped.threadId });
    await eventually(
      "the exit code",
      () => exitCodeOf(driver),
      (code) => code === "7",
    );
    client.close();
  });
});
