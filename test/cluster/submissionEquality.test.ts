// Submits the same arguments with the extension and with the real spark-submit. The API server must store the same
// driver pod and the same properties, and both applications must succeed. Also requires SPARK_K8S_SPARK_HOMES: a
// blank-separated list of folders with Spark distributions, each named by its version.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { inEnglish } from "../../src/base/message.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import type { StoredObject } from "../../src/engine/ports/objects.ts";
import { sendNoCode } from "../../src/engine/submit/sendCode.ts";
import { submitPlan } from "../../src/engine/submit/submitPlan.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import { parseJavaProperties } from "../../src/spark/conf/parse/properties.ts";
import { parseSubmission } from "../../src/spark/submit/plan/parsedSubmission.ts";
import { prepareSubmission } from "../../src/spark/submit/plan/prepareSubmission.ts";
import { fileUploads } from "../../src/storage/fileUploads.ts";
import { localDisk } from "../../src/storage/localDisk.ts";
import { eventually } from "../host/eventually.ts";
import { quickJvms, quickSubmitEnv } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image } = requireCluster();
const homes = (process.env["SPARK_K8S_SPARK_HOMES"] ?? "").split(/\s+/).filter(Boolean);
if (homes.length === 0) {
  throw new Error("Set SPARK_K8S_SPARK_HOMES to folders of Spark, named by their versions.");
}
const run = promisify(execFile);
const runMs = 240_000;

const small = {
  "spark.kubernetes.driver.request.cores": "0.1",
  "spark.kubernetes.executor.request.cores": "0.1",
  "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
  "spark.kubernetes.submission.waitAppCompletion": "false",
  "spark.driver.memory": "512m",
  "spark.executor.memory": "512m",
  "spark.executor.instances": "1",
  ...quickJvms,
};
const jvm = ["--class", "SparkdevExamples"];
const jar = ["local:///opt/spark/examples/jars/sparkdev-examples.jar", "pi", "2"];

interface Application {
  readonly name: string;
  readonly options: readonly string[];
  readonly conf: Readonly<Record<string, string>>;
  readonly resource: readonly string[];
}

const applications: readonly Application[] = [
  { name: "Equal JVM", options: jvm, conf: {}, resource: jar },
  {
    name: "Equal Python",
    options: [],
    conf: {},
    resource: ["local:///opt/spark/examples/src/main/python/pi.py", "2"],
  },
  {
    name: "Equal with much conf",
    options: [...jvm, "--driver-java-options", "-Dtest.value=1"],
    conf: {
      "spark.kubernetes.driver.label.team": "etl",
      "spark.kubernetes.executor.label.team": "etl",
      "spark.kubernetes.driver.annotation.example.com/note": "a b: {{APP_ID}}",
      "spark.kubernetes.driverEnv.STAGE": "test",
      "spark.kubernetes.driver.limit.cores": "1500m",
      "spark.kubernetes.driver.service.label.team": "etl",
      "spark.kubernetes.driver.volumes.emptyDir.scratch.mount.path": "/scratch",
      "spark.kubernetes.driver.volumes.emptyDir.scratch.options.sizeLimit": "64Mi",
      "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.mount.path": "/local",
      "spark.kubernetes.driver.podTemplateFile": "driver.yaml",
      "spark.kubernetes.executor.podTemplateFile": "executor.yaml",
      "spark.kubernetes.local.dirs.tmpfs": "true",
      "spark.driver.memoryOverhead": "300m",
      "spark.ui.port": "4141",
      "spark.eventLog.enabled": "false",
      "spark.test.text": "a=b:c # é",
    },
    resource: jar,
  },
];

const templates = {
  "driver.yaml":
    "metadata: {labels: {from: template}}\n" +
    "spec:\n  tolerations: [{key: test, operator: Exists}]\n  containers: [{name: main, env: [{name: T, value: '1'}]}]\n",
  "executor.yaml": "spec: {terminationGracePeriodSeconds: 5}\n",
};

// Run in parallel: the tests mostly wait for a driver to start, or for the garbage collector to delete its dependents.
const inParallel = { timeout: 1_800_000, concurrency: 2 };

describe("a submission from here and one by spark-submit", inParallel, () => {
  let folder: string;
  let clusters: Clusters;
  let connection: Connection;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-equal-"));
    for (const [name, text] of Object.entries(templates)) await writeFile(join(folder, name), text);
    clusters = openTestClusters(folder);
    connection = await connectTo(clusters, kubeconfig);
  });

  after(async () => {
    clusters.dispose();
    await rm(folder, { recursive: true });
  });

  for (const [major, home] of homes.entries()) {
    const version = basename(home);
    for (const [minor, application] of applications.entries()) {
      test(`${application.name} as Spark ${version}: the same pod, and both run to the end`, async () => {
        const name = `spark-k8s-equal-${process.pid}-${major}-${minor}`;
        const own = await makeTestNamespace(connection, name);
        try {
          const tokens = tokensOf(application, version, own);
          const ours = await outcomeOf(own, () => submitOurs(tokens, version));
          const theirs = await outcomeOf(own, () => submitTheirs(tokens, home));
          assert.deepEqual(ours, theirs);
        } finally {
          await own.remove();
        }
      });
    }
  }

  /** Submits an application and returns its objects, without values that differ between submissions. */
  async function outcomeOf(own: TestNamespace, submit: () => Promise<void>): Promise<unknown> {
    const list = (kind: string, labels: string): Promise<readonly StoredObject[]> =>
      listIn(own, kind, labels);
    await submit();
    const drivers = await list("Pod", "spark-role=driver");
    const [driver] = drivers;
    assert.ok(driver && drivers.length === 1, `${drivers.length} drivers`);
    const maps = (await list("ConfigMap", "")).filter(({ name }) => name.startsWith("spark-drv-"));
    const services = await list("Service", "spark-role=driver");
    const stored = { driver: driver.body, map: propertiesIn(maps), services: specsOf(services) };
    const reference = { apiVersion: "v1", kind: "Pod", namespace: own.name, name: driver.name };
    const phase = async (): Promise<string | undefined> => {
      const pod = await connection.objects.read(reference, AbortSignal.timeout(10_000));
      assert.ok(pod.ok);
      return /"phase":"(Succeeded|Failed)"/.exec(JSON.stringify(pod.value.body))?.[1];
    };
    const isEnd = (seen: string | undefined): boolean => seen !== undefined;
    let end: string | undefined;
    try {
      end = await eventually("the end of the driver", phase, isEnd, runMs);
    } finally {
      await connection.objects.delete(
        reference,
        { uid: driver.uid, propagationPolicy: "Background", gracePeriodSeconds: 0 },
        AbortSignal.timeout(10_000),
      );
    }
    assert.equal(end, "Succeeded");
    const left = async (): Promise<readonly string[]> => {
      const maps = (await list("ConfigMap", "")).filter(({ name }) => name !== "kube-root-ca.crt");
      const others = [...(await list("Pod", "")), ...(await list("Service", "spark-role=driver"))];
      return [...maps, ...others].map(({ kind, name }) => `${kind} ${name}`);
    };
    const isNothing = (seen: readonly string[]): boolean => seen.length === 0;
    await eventually("the end of all that the driver owned", left, isNothing, runMs);
    return normal(stored);
  }

  async function listIn(
    own: TestNamespace,
    kind: string,
    labels: string,
  ): Promise<readonly StoredObject[]> {
    const listed = await connection.objects.list(
      { apiVersion: "v1", kind },
      own.name,
      labels,
      AbortSignal.timeout(10_000),
    );
    assert.ok(listed.ok);
    return listed.value;
  }

  function tokensOf(
    application: Application,
    version: string,
    own: TestNamespace,
  ): readonly string[] {
    const conf = {
      ...small,
      "spark.kubernetes.namespace": own.name,
      "spark.kubernetes.container.image": image.replace(/:[^:/]*$/, `:${version}`),
      ...application.conf,
    };
    return [
      ...["--master", `k8s://${connection.server}`, "--deploy-mode", "cluster"],
      ...["--name", application.name, ...application.options],
      ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
      ...application.resource,
    ];
  }

  async function submitOurs(tokens: readonly string[], sparkVersion: string): Promise<void> {
    const plan = prepareSubmission(parseSubmission({ kind: "tokens", sparkVersion, tokens }), {
      environment: { SPARK_USER: "equal" },
      workingDirectory: folder,
      userName: "equal",
      now: Date.now(),
      randomBytes,
      files: localDisk,
    });
    assert.ok(
      plan.ok,
      plan.ok ? "" : plan.error.map(({ message }) => inEnglish(message)).join("\n"),
    );
    const ports = {
      objects: connection.objects,
      uploads: fileUploads,
      clock: systemClock,
      sendCode: sendNoCode,
    };
    const submitted = await submitPlan(plan.value, ports, AbortSignal.timeout(60_000));
    assert.ok(submitted.ok, submitted.ok ? "" : JSON.stringify(submitted.error));
  }

  async function submitTheirs(tokens: readonly string[], home: string): Promise<void> {
    await run(`${home}/bin/spark-submit`, tokens, {
      cwd: folder,
      env: {
        ...{ PATH: process.env["PATH"], HOME: folder, LC_ALL: "C.UTF-8" },
        ...{ KUBECONFIG: kubeconfig, SPARK_HOME: home, SPARK_USER: "equal" },
        ...quickSubmitEnv,
      },
    });
  }
});

function specsOf(objects: readonly StoredObject[]): readonly unknown[] {
  return objects.map(({ body }) => body);
}

function propertiesIn(maps: readonly StoredObject[]): unknown {
  const text = /"spark\.properties":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(maps[0]?.body))?.[1];
  const parsed: unknown = JSON.parse(text ?? '""');
  return Object.fromEntries(parseJavaProperties(typeof parsed === "string" ? parsed : ""));
}

const changing: ReadonlySet<string> = new Set([
  ...["status", "uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"],
  ...["nodeName", "clusterIP", "clusterIPs"],
]);

/** Sorts keys, replaces ids and times with placeholders, and omits fields that the cluster sets. */
function normal(value: unknown): unknown {
  if (typeof value === "string") return withoutIds(value);
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !changing.has(key));
  return Object.fromEntries(
    entries
      .map(([key, child]) => [withoutIds(key), normal(child)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function withoutIds(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replace(/spark-[0-9a-f]{32}/g, "APPLICATION")
    .replace(/(?<=-|^)[0-9a-fx][0-9a-f]{15}(?![0-9a-f])/g, "ID")
    .replace(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access")
    .replace(/\b1[0-9]{12}\b/g, "TIME");
}
