import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { inEnglish } from "../../src/base/message.ts";
import { ok } from "../../src/base/result.ts";
import { connectWhenReady, type DebugProtocol } from "../../src/engine/debug/connectWhenReady.ts";
import type { PodStream } from "../../src/engine/ports/channels.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { sendNoCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { sparkVersionOfImage } from "../../src/spark/submit/conf/sparkVersion.ts";
import type { DebugRequest } from "../../src/spark/submit/debug/debugRequest.ts";
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import { codeRequest } from "../../src/spark/submit/code/codeRequest.ts";
import { planSubmission } from "../../src/spark/submit/plan/prepareSubmission.ts";
import { resolveSubmission } from "../../src/spark/submit/plan/resolveSubmission.ts";
import type { SubmissionPlan } from "../../src/spark/submit/plan/submissionPlan.ts";
import { codeCollector, localDisk } from "../../src/storage/door.ts";
import { eventually } from "../host/eventually.ts";
import { quickJvms } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const waitMs = 300_000;

export interface DebuggedProgram {
  readonly image: string;
  /** The arguments of spark-submit: options, main resource, and arguments of the application. */
  readonly words: readonly string[];
  readonly debug: DebugRequest;
}

/** Submits debugged applications to the test cluster, without an editor. */
export class DebugRig {
  /** The folder for programs; `stop` deletes it. */
  readonly folder: string;
  readonly #clusters: Clusters;
  readonly #connection: Connection;
  readonly #namespace: TestNamespace;

  static async start(name: string, image: string): Promise<DebugRig> {
    const folder = await mkdtemp(join(tmpdir(), "spark-k8s-debug-"));
    const clusters = openTestClusters();
    const connection = await connectTo(clusters, requireCluster().kubeconfig);
    const namespace = await makeTestNamespace(
      connection,
      `spark-k8s-${name}-${process.pid}-${image.replace(/\D+/g, "")}`,
    );
    return new DebugRig(folder, clusters, connection, namespace);
  }

  private constructor(
    folder: string,
    clusters: Clusters,
    connection: Connection,
    namespace: TestNamespace,
  ) {
    this.folder = folder;
    this.#clusters = clusters;
    this.#connection = connection;
    this.#namespace = namespace;
  }

  async stop(): Promise<void> {
    await this.#namespace.remove();
    this.#clusters.dispose();
    await rm(this.folder, { recursive: true });
  }

  async planOf({ image, words, debug }: DebuggedProgram): Promise<SubmissionPlan> {
    const conf = {
      "spark.kubernetes.namespace": this.#namespace.name,
      "spark.kubernetes.container.image": image,
      "spark.kubernetes.authenticate.driver.serviceAccountName": this.#namespace.serviceAccount,
      "spark.kubernetes.driver.request.cores": "0.1",
      "spark.kubernetes.executor.request.cores": "0.1",
      "spark.driver.memory": "512m",
      "spark.executor.memory": "512m",
      "spark.kubernetes.submission.waitAppCompletion": "false",
      "spark.sql.execution.pythonUDF.arrow.enabled": "false",
      ...quickJvms,
    };
    const tokens = [
      ...["--master", "k8s://https://kubernetes.default.svc", "--deploy-mode", "cluster"],
      ...["--name", "debugged"],
      ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
      ...words,
    ];
    const sparkVersion = sparkVersionOfImage(image) ?? basename(image);
    const parsed = parseSubmission({ kind: "tokens", sparkVersion, tokens });
    const submissionEnvironment = {
      environment: {},
      workingDirectory: this.folder,
      userName: "tester",
      now: Date.now(),
      randomBytes,
      files: localDisk,
    };
    const resolved = resolveSubmission(parsed, submissionEnvironment);
    if (!resolved.ok)
      throw new Error(resolved.error.map(({ message }) => inEnglish(message)).join("\n"));
    const request = codeRequest(resolved.value);
    const rules = { root: this.folder, include: [], exclude: [] };
    const never = new AbortController().signal;
    const sent = request && (await codeCollector.collect(request, rules, never));
    if (sent?.ok === false) throw new Error(sent.error.detail);
    const code = sent && { sent: sent.value, choice: "automatic" as const };
    const plan = planSubmission(resolved.value, { code, debug });
    if (!plan.ok) throw new Error(plan.error.map(({ message }) => inEnglish(message)).join("\n"));
    return plan.value;
  }

  /** Submits a plan and returns the name of the driver pod. */
  async submit(plan: SubmissionPlan): Promise<string> {
    const uploads = { copy: () => Promise.reject(new Error("nothing is uploaded")) };
    const { objects } = this.#connection;
    const ports = { objects, uploads, clock: systemClock, sendCode: sendNoCode };
    const submitted = await submitPlan(plan, ports, AbortSignal.timeout(60_000));
    if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
    return submitted.value.driverPod.name;
  }

  /** Waits until a debugged process listens, then forwards a local port to it. Returns the local port. */
  async forward(pod: string, port: number, protocol: DebugProtocol): Promise<number> {
    const open = (signal: AbortSignal) =>
      this.#connection.ports.open({ namespace: this.#namespace.name, name: pod, port }, signal);
    const ready = await connectWhenReady(
      { open, protocol, clock: systemClock },
      AbortSignal.timeout(waitMs),
    );
    if (!ready.ok) throw new Error(ready.error.detail);
    let first: PodStream | undefined = ready.value;
    const { localPort } = await this.#clusters.forward({
      localPort: undefined,
      dial: (signal) => {
        const stream = first;
        first = undefined;
        return stream === undefined ? open(signal) : Promise.resolve(ok(stream));
      },
      changed: () => undefined,
      failed: () => undefined,
    });
    return localPort;
  }

  /** Waits until an executor of this driver runs, and returns the name of its pod. */
  async runningExecutor(driver: string): Promise<string> {
    const find = async (): Promise<string> => {
      const pods = await this.#pods();
      const id = pods.find(({ name }) => name === driver)?.labels["spark-app-selector"];
      return (
        pods.find(
          ({ phase, labels }) =>
            phase === "Running" &&
            labels["spark-role"] === "executor" &&
            labels["spark-app-selector"] === id,
        )?.name ?? ""
      );
    };
    return eventually("an executor", find, (name) => name !== "", waitMs);
  }

  /** Waits for the end of a driver and returns its exit code. */
  async exitCodeOf(driver: string): Promise<number> {
    const pod = { apiVersion: "v1", kind: "Pod", namespace: this.#namespace.name, name: driver };
    const read = async (): Promise<number> => {
      const found = await this.#connection.objects.read(pod, AbortSignal.timeout(10_000));
      const text = JSON.stringify(found.ok ? found.value.body : "");
      return Number(/"terminated":\{[^}]*"exitCode":(\d+)/.exec(text)?.[1] ?? NaN);
    };
    return eventually("the exit code", read, (code) => !Number.isNaN(code), waitMs);
  }

  async logOf(pod: string): Promise<string> {
    const lines: string[] = [];
    const request = {
      ...{ namespace: this.#namespace.name, pod, container: undefined },
      ...{ follow: false, previous: false, tailLines: undefined, sinceTime: undefined },
    };
    const signal = AbortSignal.timeout(20_000);
    for await (const item of this.#connection.logs.readLog(request, signal)) {
      if (item.kind === "lines") lines.push(...item.take().map(({ text }) => text));
    }
    return lines.join("\n");
  }

  async #pods() {
    const request = {
      ...{ namespace: this.#namespace.name, labelSelector: "spark-app-selector" },
      ...{ resourceVersion: undefined, limit: 50, continueToken: undefined },
    };
    const listed = await this.#connection.pods.listPods(request, AbortSignal.timeout(10_000));
    return listed.ok ? listed.value.pods : [];
  }
}
