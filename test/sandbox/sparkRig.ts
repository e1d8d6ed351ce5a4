import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import type { KubeObject } from "../../src/sandbox/kubeObject.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { fieldsOf, itemsOf, textOf, type Fields } from "../../src/base/json.ts";
import { connectTo, openTestClusters } from "../cluster/testConnection.ts";
import { quickJvms, quickSubmitEnv } from "../cluster/quickJvms.ts";
import { submitApplication } from "../cluster/submitted.ts";
import { makeTestNamespace, type TestNamespace } from "../cluster/testNamespace.ts";
import { eventually } from "../host/eventually.ts";
import { openTestSandbox } from "./testSandbox.ts";

/** Timeout of each wait: enough for an application with two JVMs on a busy machine. */
const timeoutMs = 240_000;

/** A sandbox with real Spark distributions, and methods that submit applications to it. */
export class SparkRig {
  readonly sandbox: Sandbox;
  readonly connection: Connection;
  readonly namespace: TestNamespace;
  readonly #clusters: Clusters;
  readonly #folder: string;

  static async start(homes: readonly string[]): Promise<SparkRig> {
    const { sandbox, folder, kubeconfig } = await openTestSandbox(homes);
    const clusters = openTestClusters(folder);
    const connection = await connectTo(clusters, kubeconfig);
    const namespace = await makeTestNamespace(connection, "jobs");
    return new SparkRig(sandbox, connection, namespace, clusters, folder);
  }

  private constructor(
    sandbox: Sandbox,
    connection: Connection,
    namespace: TestNamespace,
    clusters: Clusters,
    folder: string,
  ) {
    this.sandbox = sandbox;
    this.connection = connection;
    this.namespace = namespace;
    this.#clusters = clusters;
    this.#folder = folder;
  }

  async stop(): Promise<void> {
    this.#clusters.dispose();
    await this.sandbox.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Submits a Python program, which the driver reads from a hostPath volume. */
  async submitPython(
    home: string,
    name: string,
    program: string,
    conf: Readonly<Record<string, string>>,
  ): Promise<Application> {
    const folder = join(this.#folder, name);
    await mkdir(folder);
    await writeFile(join(folder, "program.py"), program);
    const volume = "spark.kubernetes.driver.volumes.hostPath.program";
    return this.submit(home, name, ["local:///program/program.py"], {
      [`${volume}.mount.path`]: "/program",
      [`${volume}.options.path`]: folder,
      ...conf,
    });
  }

  async submit(
    home: string,
    name: string,
    application: readonly string[],
    conf: Readonly<Record<string, string>>,
  ): Promise<Application> {
    const sparkVersion = basename(home);
    const image = `apache/spark:${sparkVersion}`;
    const submission = { name, image, sparkVersion, application, conf };
    const { driverPod } = await submitApplication(this.connection, this.namespace, submission);
    return new Application(this, driverPod.name);
  }

  /** Submits with the distribution's own spark-submit and returns its output. */
  async sparkSubmit(home: string, name: string, application: readonly string[]): Promise<string> {
    const { name: namespace, serviceAccount } = this.namespace;
    const conf = {
      "spark.kubernetes.namespace": namespace,
      "spark.kubernetes.container.image": `apache/spark:${basename(home)}`,
      "spark.kubernetes.authenticate.driver.serviceAccountName": serviceAccount,
      "spark.kubernetes.driver.request.cores": "0.1",
      "spark.kubernetes.executor.request.cores": "0.1",
      "spark.driver.memory": "512m",
      "spark.executor.memory": "512m",
      "spark.executor.instances": "1",
      ...quickJvms,
    };
    const words = [
      ...["--master", `k8s://${this.sandbox.url}`, "--deploy-mode", "cluster", "--name", name],
      ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
      ...application,
    ];
    const env = {
      ...process.env,
      ...quickSubmitEnv,
      ...{ SPARK_HOME: home, KUBECONFIG: join(this.#folder, "kubeconfig") },
    };
    const program = join(home, "bin/spark-submit");
    const { stdout, stderr } = await promisify(execFile)(program, words, {
      env,
      timeout: timeoutMs,
    });
    return stdout + stderr;
  }

  pods(): readonly KubeObject[] {
    return this.sandbox.context.objects.list("pods", this.namespace.name);
  }

  /** Returns the current log of a pod. */
  async log(pod: string): Promise<string> {
    const lines: string[] = [];
    const request = {
      namespace: this.namespace.name,
      pod,
      container: undefined,
      follow: false,
      previous: false,
      tailLines: undefined,
      sinceTime: undefined,
    };
    for await (const item of this.connection.logs.readLog(request, AbortSignal.timeout(20_000))) {
      if (item.kind === "lines") lines.push(...item.take().map(({ text }) => text));
    }
    return lines.join("\n");
  }
}

/** A submitted application, observed through its pods. */
export class Application {
  readonly driver: string;
  readonly #rig: SparkRig;

  constructor(rig: SparkRig, driver: string) {
    this.#rig = rig;
    this.driver = driver;
  }

  get status(): Fields {
    const pod = this.#rig.pods().find(({ metadata }) => metadata.name === this.driver);
    return fieldsOf(pod?.["status"]);
  }

  /** Returns the executor ids of the running executor pods. */
  get executors(): readonly string[] {
    return this.#all("Running").map(
      ({ metadata: { labels } }) => textOf(labels?.["spark-exec-id"]) ?? "",
    );
  }

  executor(id: string): KubeObject | undefined {
    return this.#all().find(({ metadata: { labels } }) => labels?.["spark-exec-id"] === id);
  }

  #all(phase?: string): readonly KubeObject[] {
    const driver = this.#rig.pods().find(({ metadata }) => metadata.name === this.driver);
    const selector = driver?.metadata.labels?.["spark-app-selector"];
    return this.#rig
      .pods()
      .filter(
        ({ metadata: { labels }, ...pod }) =>
          labels?.["spark-role"] === "executor" &&
          labels["spark-app-selector"] === selector &&
          (phase === undefined || fieldsOf(pod["status"])["phase"] === phase),
      );
  }

  untilExecutors(what: string, isRight: (ids: readonly string[]) => boolean): Promise<unknown> {
    return this.#watched(what, () => Promise.resolve(this.executors), isRight);
  }

  async untilSays(text: string): Promise<void> {
    await this.#watched(
      `"${text}"`,
      () => this.log(),
      (log) => log.includes(text),
    );
  }

  async untilEnd(phase: "Succeeded" | "Failed"): Promise<void> {
    const ends = ["Succeeded", "Failed"];
    const read = (): Promise<unknown> => Promise.resolve(this.status["phase"]);
    const seen = await this.#watched(`the end of ${this.driver}`, read, (one) =>
      ends.some((end) => end === one),
    );
    if (seen !== phase)
      throw new Error(`${this.driver} did not end as ${phase}:\n${await this.log()}`);
  }

  log(): Promise<string> {
    return this.#rig.log(this.driver).catch(() => "");
  }

  /** Requests a path below the application in the driver's REST API, and returns the JSON. */
  async page(path: string): Promise<unknown> {
    const root = `http://${textOf(this.status["podIP"]) ?? ""}:4040/api/v1/applications`;
    const [own] = itemsOf(await (await fetch(root)).json()).map(fieldsOf);
    return (await fetch(`${root}/${textOf(own?.["id"]) ?? ""}/${path}`)).json();
  }

  // Polls until `isRight` accepts the value, or until the driver has failed. The error contains the driver's log.
  async #watched<T>(
    what: string,
    read: () => Promise<T>,
    isRight: (seen: T) => boolean,
  ): Promise<T> {
    try {
      const hasFailed = (): boolean => this.status["phase"] === "Failed";
      const seen = await eventually(what, read, (at) => isRight(at) || hasFailed(), timeoutMs);
      if (!isRight(seen)) throw new Error(`${what}: the driver has failed`);
      return seen;
    } catch (error) {
      throw new Error(`${String(error)}\n${JSON.stringify(this.status)}\n${await this.log()}`, {
        cause: error,
      });
    }
  }
}
