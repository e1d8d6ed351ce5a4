// Runs real Spark applications, many of which fail, on a real cluster and checks the text of their tree rows.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { disposable } from "../../src/base/disposable.ts";
import { fieldAt, fieldsOf, itemsOf } from "../../src/base/json.ts";
import { ClusterSession } from "../../src/editor/apps/clusterSession.ts";
import { applicationNode } from "../../src/editor/apps/treeNode.ts";
import { failedRows, readFailure } from "../../src/editor/describe/failures.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { Application } from "../../src/spark/pods/application.ts";
import { firstOf } from "../../src/spark/pods/ordered.ts";
import { editDefinition } from "../../src/spark/remedy/editDefinition.ts";
import { memberKeys } from "../../src/spark/submit/profile/runProfile.ts";
import { eventually } from "../host/eventually.ts";
import { treeText } from "../treeText.ts";
import { scriptedScreen } from "../unit/editor/screenFixture.ts";
import { strictLog } from "../unit/editor/sessionFixture.ts";
import { quickJvms } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { submitApplication, submitExample } from "./submitted.ts";
import { submitDefinition } from "./submittedDefinition.ts";
import { openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";
import { smallConf, tasksJson } from "./testPlace.ts";
import { TruthDelays } from "./truthDelays.ts";
import { inEnglish, verbatim } from "../../src/base/message.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-model-${process.pid}`;
// Time for two JVMs to start, one after the other, on a busy machine.
const startMs = 420_000;
const observedRuns = Number(process.env["SPARK_K8S_OBSERVED_RUNS"] ?? "3");
const observedAtOnce = 3;

// Run in parallel: each application mostly waits for the cluster and for a JVM to start.
describe("the model of real applications", { timeout: 2_400_000, concurrency: 3 }, () => {
  let own: TestNamespace;
  let connection: Connection;
  let session: ClusterSession;
  /** All row texts seen so far, by application name. */
  const told = new Map<string, Set<string>>();
  const delays = new TruthDelays();

  before(async () => {
    const settings = { kubeconfigFiles: [kubeconfig], mayRunPlugins: true };
    session = new ClusterSession({
      loadClusters: () => Promise.resolve(openTestClusters()),
      clock: systemClock,
      random: Math.random,
      log: {
        debug: () => undefined,
        warn: () => undefined,
        error: console.error,
        show: () => undefined,
        dispose: () => undefined,
      },
      clusterSettings: () => settings,
      chosenContext: () => undefined,
      chosenNamespaces: () => [namespace],
      furtherContexts: () => ({}),
      watchFiles: () => disposable(() => undefined),
    });
    const connected = await session.connect(AbortSignal.timeout(10_000));
    assert.ok(connected.ok, "the cluster can be connected to");
    connection = connected.value;
    own = await makeTestNamespace(connection, namespace);
    await delays.watch(namespace);
    session.onDidChange(() => {
      session.look(
        session.applications.map(({ key }) => key),
        true,
      );
      for (const application of session.applications) {
        const texts = told.get(application.name) ?? new Set();
        told.set(application.name, texts.add(textOf(application)));
      }
      delays.wrote(session.applications);
    });
  });
  after(async () => {
    console.log(delays.describe());
    delays.dispose();
    await own.remove();
    session.dispose();
  });

  const textOf = (application: Application): string =>
    treeText(
      application,
      session.reportOf(application.key),
      (pod) => session.diagnose(application, pod),
      Date.now(),
    );
  const submit = (name: string, args: readonly string[], conf: Readonly<Record<string, string>>) =>
    submitExample(connection, own, { image, name, args, conf });
  const textNow = (name: string): string => {
    const application = session.applications.find((one) => one.name === name);
    return application === undefined ? "" : textOf(application);
  };
  const until = async (name: string, expected: RegExp): Promise<string> => {
    const seen = await eventually(
      String(expected),
      () => Promise.resolve([...(told.get(name) ?? []), textNow(name)]),
      (texts) => texts.some((text) => expected.test(text)),
      startMs,
    );
    return seen.find((text) => expected.test(text)) ?? "";
  };
  const logOf = async (pod: string): Promise<string> => {
    const request = { namespace, pod, container: undefined, follow: false, previous: false };
    const all = { ...request, tailLines: undefined, sinceTime: undefined };
    const texts: string[] = [];
    for await (const item of connection.logs.readLog(all, AbortSignal.timeout(60_000))) {
      if (item.kind === "lines") texts.push(...item.take().map(({ text }) => text));
    }
    assert.notEqual(texts.length, 0, `the log of ${pod} is empty`);
    return texts.join("\n");
  };
  const stop = async (pod: string, gracePeriodSeconds?: number): Promise<void> => {
    const deleted = await connection.objects.delete(
      { apiVersion: "v1", kind: "Pod", namespace, name: pod },
      { uid: undefined, propagationPolicy: "Background", gracePeriodSeconds },
      AbortSignal.timeout(20_000),
    );
    assert.ok(deleted.ok);
  };

  // The longest tests come first, because the others run in parallel with them.

  // Pairs of an expected failure and the conf that causes it, in the order in which the runs fail.
  const errors: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
    [/no usable node has the label disk=none/, { "spark.kubernetes.node.selector.disk": "none" }],
    [/"none" does not exist/, { "spark.kubernetes.hadoop.configMapName": "none" }],
    [/below Spark's minimum/, { "spark.driver.memory": "300m" }],
    [/not permitted/, { [memberKeys.serviceAccount]: "default" }],
  ];
  test("the first edit that a failed run is offered corrects its error, until it succeeds", async () => {
    const name = "broken";
    const task = {
      ...{ type: "spark", label: name, name, image, namespace, args: ["pi", "1"] },
      application: "local:///opt/spark/examples/jars/sparkdev-examples.jar",
      class: "SparkdevExamples",
      conf: Object.assign({ ...smallConf }, ...errors.map(([, conf]) => conf)) as object,
    };
    let definition = tasksJson([task]);
    const run = () =>
      submitDefinition(connection, fieldsOf(itemsOf(fieldAt(JSON.parse(definition), "tasks"))[0]));
    for (const [expected] of errors) {
      const failed = await run();
      await until(name, expected);
      const application = session.applications.find(({ driver }) => driver?.pod.uid === failed.uid);
      assert.ok(application);
      const asked = { session, screen: scriptedScreen(), log: strictLog };
      const [row] = await failedRows(asked, [applicationNode(application.key)], "");
      const failure = row && (await readFailure(asked, row));
      assert.match(inEnglish(failure?.diagnosis.fact ?? verbatim("")), expected);
      const fix = failure?.remedies.find(({ kind }) => kind === "edit");
      assert.ok(fix?.kind === "edit", JSON.stringify(failure?.remedies));
      const profile = { label: name, context: undefined };
      const source = { text: definition, surface: "profiles" as const, profile };
      definition = editDefinition(source, fix.edits) ?? "";
      await stop(failed.name, 0);
    }
    await run();
    await until(name, /^broken: succeeded/);
  });

  test("executors register while dynamic allocation grows and shrinks", async () => {
    // The job would keep one executor busy long enough for the others to start, even if they first wait for
    // CPUs that other pods use. It ends with a single task.
    const { driverPod } = await submit("elastic", ["sleep", "30", "7"], {
      "spark.dynamicAllocation.enabled": "true",
      "spark.dynamicAllocation.maxExecutors": "3",
      "spark.dynamicAllocation.executorIdleTimeout": "5s",
      "spark.dynamicAllocation.shuffleTracking.enabled": "true",
    });
    const elastic = () => session.applications.find(({ name }) => name === "elastic");
    const registered = () => session.reportOf(elastic()?.key ?? "")?.registered.size;
    for (const count of [3, 1]) {
      await eventually(
        `${count} registered executors`,
        () => Promise.resolve([registered(), textNow("elastic")] as const),
        ([seen]) => seen === count,
        startMs,
      );
    }
    assert.match(textNow("elastic"), /^elastic: running · 1 of 1 executor\b/);
    const allocation = session.reportOf(elastic()?.key ?? "")?.allocation;
    // Spark on Kubernetes waits for 80 % of the executors, for at most 30 s.
    const start = { minRegistered: 0, ratio: 0.8, maxWaitMs: 30_000 };
    assert.deepEqual(allocation, { kind: "dynamic", min: 0, max: 3, target: 1, start });
    // Spark unregisters the executors slightly before it deletes their pods.
    await eventually(
      "two executors of the past",
      () => Promise.resolve(elastic()?.past),
      (past) => past?.highestId === 3 && past.finished === 2 && past.failed === 0,
    );
    await stop(driverPod.name);
  });

  test("an application that ended well is succeeded", async () => {
    await submit("pi", ["pi", "2"], { "spark.executor.instances": "1" });
    await until("pi", /^pi: running · 1 (of 1 )?executor\b/);
    await until("pi", /^pi: succeeded/);
  });

  // A driver logs a stack trace when a request to its REST API is aborted, which happens on a busy
  // machine.
  test("leaves no trace in the logs of drivers that are observed while the machine is busy", async () => {
    const names = Array.from({ length: observedRuns }, (_, index) => `observed-${index}`);
    for (let from = 0; from < names.length; from += observedAtOnce) {
      const now = names.slice(from, from + observedAtOnce);
      const drivers = await Promise.all(
        now.map(async (name) => {
          const { driverPod } = await submit(name, ["pi", "2"], {
            "spark.executor.instances": "1",
          });
          return driverPod.name;
        }),
      );
      for (const name of now) await until(name, /: (?:succeeded|failed)/);
      for (const driver of drivers) {
        const traces = (await logOf(driver))
          .split("\n")
          .filter((line) => /Broken pipe|EofException|ServerRuntime/.test(line));
        assert.deepEqual(traces, []);
      }
    }
  });

  test("an image that cannot be pulled is named in the rows of pod and application", async () => {
    const { driverPod } = await submit("noimage", ["sleep", "600", "1"], {
      "spark.executor.instances": "1",
      "spark.kubernetes.executor.container.image": "sparkdev/nowhere:1",
    });
    const text = await until("noimage", /executor 1: pending · .*: nowhere:1/);
    assert.match(text, /^noimage: running · .*: nowhere:1/);
    await stop(driverPod.name);
  });

  test("a request that no node can satisfy is shown with its amount", async () => {
    const { driverPod } = await submit("toolarge", ["sleep", "600", "1"], {
      "spark.executor.instances": "1",
      "spark.executor.memory": "500g",
    });
    await until("toolarge", /executor 1: pending · larger than the largest node \([\d.]+ GiB\)/);
    const application = session.applications.find(({ name }) => name === "toolarge");
    const executor = application && firstOf(application.live);
    assert.ok(executor);
    const [diagnosis] = session.diagnose(application, executor);
    assert.match(
      inEnglish(diagnosis?.what) ?? "",
      /requests 0.1 cores and 550 GiB, but the largest node has/,
    );
    assert.ok(diagnosis?.keys.includes("spark.executor.memoryOverhead"));
    await stop(driverPod.name);
  });

  // Both applications run in parallel, because they mostly wait for a JVM to start.
  test("a driver whose log explains its failure shows that reason", async () => {
    const heapless = submit("heapless", ["oom"], {
      "spark.scheduler.minRegisteredResourcesRatio": "0",
    });
    const missing = submitApplication(connection, own, {
      ...{ name: "missing", image, sparkVersion: "4.3.0", conf: {} },
      application: ["local:///opt/spark/examples/src/main/python/missing.py"],
    });
    await Promise.all([heapless, missing]);
    await until("missing", /driver: failed · not found: missing\.py/);
    await until("heapless", /driver: failed · Java heap exhausted/);
  });

  test("an OOM-killed executor shows its limit, then the driver shows why it gave up", async () => {
    await submit("hungry", ["sleep", "600", "1"], {
      "spark.executor.instances": "1",
      "spark.executor.memoryOverhead": "1m",
      "spark.executor.extraJavaOptions": "-XX:+AlwaysPreTouch",
      "spark.kubernetes.executor.deleteOnTermination": "false",
    });
    await until("hungry", /executor 1: failed · out of memory, limit 513 MiB/);
    await until("hungry", /driver: failed · too many executors failed, exit code 11/);
  });

  test("the application's row explains a failed executor that Spark deleted at once", async () => {
    await submit("swept", ["sleep", "600", "1"], {
      "spark.executor.instances": "1",
      "spark.executor.memoryOverhead": "1m",
      "spark.executor.extraJavaOptions": "-XX:+AlwaysPreTouch",
    });
    await until("swept", /^swept: running · .*out of memory, limit 513 MiB/);
    await until("swept", /driver: failed · too many executors failed, exit code 11/);
  });

  test("a driver in a pod of its own, such as a notebook's, shows its executors", async () => {
    const conf = {
      "spark.app.name": "notebook",
      "spark.driver.host": "$POD_IP",
      "spark.driver.memory": "512m",
      "spark.executor.instances": "1",
      "spark.executor.memory": "512m",
      "spark.kubernetes.executor.request.cores": "0.1",
      "spark.kubernetes.container.image": image,
      "spark.kubernetes.driver.pod.name": "notebook-0",
      "spark.kubernetes.namespace": namespace,
      ...quickJvms,
    };
    const submit = [
      "/opt/spark/bin/spark-submit --master k8s://https://kubernetes.default.svc --deploy-mode client",
      ...Object.entries(conf).map(([key, value]) => `--conf "${key}=${value}"`),
      "--class SparkdevExamples /opt/spark/examples/jars/sparkdev-examples.jar sleep 600 1",
    ].join(" ");
    const podIp = { fieldRef: { fieldPath: "status.podIP" } };
    const created = await connection.objects.create(
      namespace,
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "notebook-0" },
        spec: {
          serviceAccountName: own.serviceAccount,
          restartPolicy: "Never",
          containers: [
            {
              name: "notebook",
              image,
              imagePullPolicy: "IfNotPresent",
              command: ["/bin/sh", "-c", submit],
              env: [{ name: "POD_IP", valueFrom: podIp }],
              resources: { requests: { cpu: "100m" } },
            },
          ],
        },
      },
      { dryRun: false, charset: false },
      AbortSignal.timeout(20_000),
    );
    assert.ok(created.ok);
    await until("notebook", /executor 1: running/);
    const notebook = () => session.applications.find(({ name }) => name === "notebook");
    await eventually(
      "its executor as registered",
      () => Promise.resolve(session.reportOf(notebook()?.key ?? "")?.registered.size),
      (count) => count === 1,
      startMs,
    );
    assert.match(textNow("notebook"), /1 of 1 executor\b/);
    await stop("notebook-0");
  });

  test("executors of a force-deleted driver are orphaned, then deleted", async () => {
    const { driverPod } = await submit("headless", ["sleep", "600", "1"], {
      "spark.executor.instances": "2",
    });
    await until("headless", /executor 2: running/);
    await stop(driverPod.name, 0);
    await until("headless", /^headless: no driver pod/);
    await eventually(
      "their end",
      () => Promise.resolve(textNow("headless")),
      (text) => text === "",
      60_000,
    );
  });
});
