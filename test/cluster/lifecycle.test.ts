// Lifecycle commands in a real VS Code on a real cluster: a decommissioned executor migrates its
// blocks, the rows show the cluster's state, and clean-up finds and deletes leftovers.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { parse } from "yaml";
import { decommissionExecutor } from "../../src/engine/lifecycle/decommissionExecutor.ts";
import type { Connection } from "../../src/engine/ports/connection.ts";
import type { ExecutorPod } from "../../src/spark/pods/application.ts";
import { decodePod } from "../../src/spark/pods/decodePod.ts";
import { executorPodOf } from "../../src/spark/pods/executorPods.ts";
import { fieldsOf, itemsOf, numberOf, textOf } from "../../src/base/json.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { eventually } from "../host/eventually.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { quickJvms } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { openEditor, openTestPlace, type TestPlace } from "./testPlace.ts";
import { connectTo } from "./testConnection.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-lifecycle-${process.pid}`;
const startMs = 180_000;
const partitions = 8;

// Caches blocks and never reads them again, so blocks that still exist later were migrated, not recomputed.
const program = `import time
from pyspark.sql import SparkSession
spark = SparkSession.builder.config("spark.example.setInCode", "yes").getOrCreate()
numbers = spark.sparkContext.parallelize(range(200000), ${partitions}).cache()
print("counted", numbers.count(), flush=True)
time.sleep(3600)
`;

const template = `apiVersion: v1
kind: Pod
spec:
  containers:
    - name: driver
      volumeMounts: [{ name: program, mountPath: /program }]
  volumes: [{ name: program, configMap: { name: program } }]
`;

const profile = (label: string, folder: string, conf: Readonly<Record<string, string>>) => ({
  type: "spark",
  label,
  name: label,
  application: "local:///program/holds.py",
  image,
  namespace,
  serviceAccount: "spark",
  follow: "driver",
  conf: {
    "spark.kubernetes.driver.podTemplateFile": join(folder, "driver.yaml"),
    "spark.kubernetes.driver.request.cores": "0.1",
    "spark.kubernetes.executor.request.cores": "0.1",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": "2",
    "spark.locality.wait": "0",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.hadoop.some.password": "hunter2",
    ...quickJvms,
    ...conf,
  },
});

/** Returns the kubeconfig with every user impersonating `user`. */
function impersonating(kubeconfigText: string, user: string): string {
  const kubeconfig: unknown = parse(kubeconfigText);
  const users = itemsOf(fieldsOf(kubeconfig)["users"]).map(fieldsOf);
  const changed = users.map((one) => ({ ...one, user: { ...fieldsOf(one["user"]), as: user } }));
  return JSON.stringify({ ...fieldsOf(kubeconfig), users: changed });
}

describe("the commands of a lifecycle", { timeout: 1_200_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let place: TestPlace;
  let connection: Connection;
  let guest: Connection;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ connection } = place);
    const guestConfig = join(place.folder, "guest");
    // The kubeconfig's own user is an administrator, who may impersonate any user.
    const text = await readFile(kubeconfig, "utf8");
    await writeFile(guestConfig, impersonating(text, "ada"));
    guest = await connectTo(place.clusters, guestConfig);
    await create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "program" },
      data: { "holds.py": program },
    });
    await grant("ada", [
      { apiGroups: [""], resources: ["pods", "configmaps"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["pods/exec"], verbs: ["get", "create"] },
    ]);
    await writeFile(join(place.folder, "driver.yaml"), template);
    const tasks = {
      version: "2.0.0",
      tasks: [
        profile("holds", place.folder, {
          "spark.decommission.enabled": "true",
          "spark.storage.decommission.enabled": "true",
        }),
        profile("cannot", place.folder, {}),
        ...["scales", "widens"].map((label) =>
          profile(label, place.folder, {
            "spark.kubernetes.allocation.pods.allocator": "statefulset",
            "spark.executor.instances": "1",
          }),
        ),
      ],
    };
    ({ host, workbench } = await openEditor(kubeconfig, namespace, {
      ".vscode/tasks.json": JSON.stringify(tasks, undefined, 2),
    }));
  });
  after(async () => {
    await host.stop();
    await place.close();
  });
  afterEach(async ({ name }) => {
    await workbench.picture(`lifecycle-last-${name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 40)}`);
  });

  const create = async (manifest: Manifest): Promise<void> => {
    const options = { dryRun: false, charset: false };
    const created = await connection.objects.create(
      namespace,
      manifest,
      options,
      AbortSignal.timeout(10_000),
    );
    assert.ok(created.ok, JSON.stringify(created));
  };
  const grant = async (user: string, rules: Manifest["rules"]): Promise<void> => {
    const apiVersion = "rbac.authorization.k8s.io/v1";
    await create({ apiVersion, kind: "Role", metadata: { name: user }, rules: rules ?? [] });
    await create({
      apiVersion,
      kind: "RoleBinding",
      metadata: { name: user },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: user },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
    });
  };
  const tree = () => workbench.tree("Applications");
  const rows = async (): Promise<readonly string[]> =>
    (await tree().rows()).map(({ label, description }) => `${label}: ${description}`);
  const untilRows = (
    what: string,
    suits: (found: readonly string[]) => boolean,
  ): Promise<unknown> => eventually(what, rows, suits, startMs);
  const isRunning = (id: number) => (row: string) => row.startsWith(`executor ${id}: running`);
  const executors = async (): Promise<readonly ExecutorPod[]> => {
    const listed = await connection.objects.list(
      { apiVersion: "v1", kind: "Pod" },
      namespace,
      "spark-role=executor",
      AbortSignal.timeout(10_000),
    );
    assert.ok(listed.ok, "pods can be listed");
    return listed.value.flatMap(({ body }) => {
      const pod = decodePod(body);
      return pod === undefined ? [] : [executorPodOf(pod)];
    });
  };
  const executor = async (id: number): Promise<ExecutorPod> => {
    const found = (await executors()).find(({ executorId }) => executorId === id);
    assert.ok(found, `executor ${id} is there`);
    return found;
  };
  const objects = async (kind: string): Promise<readonly string[]> => {
    const listed = await connection.objects.list(
      { apiVersion: "v1", kind },
      namespace,
      "",
      AbortSignal.timeout(10_000),
    );
    assert.ok(listed.ok, `${kind} can be listed`);
    return listed.value.map(({ name }) => name);
  };
  /** Follows the log of an executor to its end and returns its text. */
  const logUntilEnd = async ({ pod }: ExecutorPod): Promise<string> => {
    const request = {
      namespace,
      pod: pod.name,
      container: undefined,
      follow: true,
      previous: false,
      tailLines: undefined,
      sinceTime: undefined,
    };
    let text = "";
    for await (const item of connection.logs.readLog(request, AbortSignal.timeout(startMs))) {
      if (item.kind === "lines")
        text += item
          .take()
          .map((line) => `${line.text}\n`)
          .join("");
    }
    return text;
  };
  const driverPage = async (path: string, application = "holds"): Promise<unknown> => {
    const pods = await objects("Pod");
    const isDriver = (name: string) => name.startsWith(application) && name.endsWith("-driver");
    const name = pods.find(isDriver) ?? "";
    const pod = { namespace, name, port: 4040 };
    const signal = AbortSignal.timeout(20_000);
    const root = "/api/v1/applications";
    const listed = await connection.pages.read(pod, root, signal);
    assert.ok(listed.ok, JSON.stringify(listed));
    const id = textOf(fieldsOf(itemsOf(listed.value)[0])["id"]) ?? "";
    const page = await connection.pages.read(pod, `${root}/${id}/${path}`, signal);
    assert.ok(page.ok, JSON.stringify(page));
    return page.value;
  };
  const cachedPartitions = async (): Promise<number> => {
    const [rdd] = itemsOf(await driverPage("storage/rdd"));
    return numberOf(fieldsOf(rdd)["numCachedPartitions"]) ?? 0;
  };

  test("the application caches blocks on two executors", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.choose("holds");
    await workbench.waitForTerminal("counted 200000", startMs);
    await untilRows("two executors", (found) => [1, 2].every((id) => found.some(isRunning(id))));
    assert.equal(await cachedPartitions(), partitions);
    await workbench.pictures("lifecycle-1-running");
  });

  test("a row's menu is ordered by importance", async () => {
    assert.deepEqual(await tree().row("executor 1").menuLabels(), [
      "Tail Logs…",
      "Open Log",
      "Compare Logs…",
      "Save Whole Log…",
      "Open Kept Log…",
      "Show Pod",
      "Show Events",
      "Compare With…",
      "Open Terminal in Pod",
      "Forward Port…",
      "Copy Name",
      "Decommission Executor…",
      "Kill Executor…",
      "Delete…",
    ]);
  });

  test("a shell in the pod answers and knows its terminal size", async () => {
    await tree().row("executor 1").contextMenu("Open Terminal in Pod");
    await workbench.waitForTerminal("work-dir#");
    await workbench.typeInTerminal("echo $((6*7)) ; stty size\n");
    await workbench.waitForTerminal(/^42\n\d\d \d\d+$/m);
    await workbench.picture("lifecycle-2-terminal");
    await workbench.typeInTerminal("exit\n");
  });

  test("pod, conf and events open without secrets", async () => {
    await tree().row("executor 1").contextMenu("Show Pod");
    await workbench.editor.waitForText("kind: Pod");
    assert.doesNotMatch(await workbench.editor.text(), /managedFields/);
    await workbench.pictures("lifecycle-3-pod");
    await tree().row("holds").contextMenu("Show Conf of Run");
    await workbench.editor.waitForText("spark.decommission.enabled");
    const submitted = await workbench.editor.textThat((text) =>
      /spark\.hadoop\.some\.password\s+\*+\(redacted\)/.test(text),
    );
    assert.doesNotMatch(submitted, /hunter2|setInCode/);
    await workbench.pictures("lifecycle-4-conf");
    await tree().row("holds").contextMenu("Show Effective Conf");
    await workbench.editor.waitForText("the running driver");
    await workbench.editor.goTo("the running driver");
    await workbench.page.keyboard.press("Control+F");
    await workbench.page.keyboard.type("spark.example.setInCode");
    await workbench.editor.waitForText("spark.example.setInCode");
    await workbench.page.keyboard.press("Escape");
    await workbench.picture("lifecycle-6-effective");
    await tree().row("executor 2").contextMenu("Show Events");
    await workbench.editor.waitForText("Scheduled");
    await workbench.picture("lifecycle-5-events");
  });

  test("two executors are compared without their identities", async () => {
    await tree().row("executor 1").contextMenu("Compare With…");
    await workbench.quickInput.choose("executor 2");
    await workbench.tab("holds executor 1 and holds executor 2").waitFor();
    await workbench.picture("lifecycle-6-compared");
  });

  test("a decommissioned executor migrates its blocks before it exits", async () => {
    const log = logUntilEnd(await executor(1));
    await tree().row("executor 1").contextMenu("Decommission Executor…");
    const question = 'Decommission executor 1 of "holds"?';
    const words = await workbench.dialog(question).innerText();
    assert.match(words, /Cached blocks and shuffle files are migrated/);
    assert.match(words, /no task is running/);
    assert.match(words, /cannot be undone/);
    await workbench.picture("lifecycle-7-decommission");
    await workbench.answerDialog(question, "Decommission Executor");
    await untilRows("the row to say so", (found) =>
      found.some((row) => row.startsWith("executor 1: decommissioning")),
    );
    await workbench.notification(/decommissioning; ends within 300 s/).waitFor();
    await untilRows("executor 1 gone", (found) => !found.some(isRunning(1)));
    await workbench.notification(/Executor 1 of "holds" was decommissioned\./).waitFor();
    assert.match(await log, /Finished decommissioning/i);
    assert.equal(await cachedPartitions(), partitions, await log);
    await untilRows("executor 3 in its place", (found) => found.some(isRunning(3)));
    await workbench.picture("lifecycle-8-decommissioned");
  });

  test("without the rights to evict and delete, a signal decommissions the executor", async () => {
    await eventually(
      "executor 3 at the driver",
      () => driverPage("executors"),
      // Blocks can migrate to executor 3 once it reports storage memory.
      (page) =>
        itemsOf(page)
          .map(fieldsOf)
          .some(({ id, maxMemory }) => id === "3" && (numberOf(maxMemory) ?? 0) > 0),
      startMs,
    );
    const second = await executor(2);
    const log = logUntilEnd(second);
    const told = await decommissionExecutor(guest, second, undefined, AbortSignal.timeout(30_000));
    assert.deepEqual(told, { kind: "signalled" });
    const again = await decommissionExecutor(guest, second, undefined, AbortSignal.timeout(30_000));
    assert.ok(["alreadyLeaving", "noProcess"].includes(again.kind), again.kind);
    assert.match(await log, /Finished decommissioning/i);
    assert.equal(await cachedPartitions(), partitions, await log);
    await untilRows("executor 4 in its place", (found) => found.some(isRunning(4)));
  });

  test("an application without decommissioning says so and offers to kill", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.answer("cannot");
    await untilRows("two applications", (found) =>
      found.some((row) => row.startsWith("cannot: running")),
    );
    await workbench.waitForTerminal("counted 200000", startMs);
    await tree().row("holds").collapse();
    await untilRows("its executors", (found) => found.some(isRunning(1)));
    await tree().row("executor 1").contextMenu("Decommission Executor…");
    const question = 'Cannot decommission executor 1 of "cannot"';
    const words = await workbench.dialog(question).innerText();
    assert.match(words, /does not set "spark\.decommission\.enabled"/);
    await workbench.picture("lifecycle-9-off");
    await workbench.answerDialog(question, "Kill Instead…");
    await workbench.answerDialog('Kill executor 1 of "cannot"?', "Kill Executor");
    await untilRows("executor 3 in its place", (found) => found.some(isRunning(3)));
  });

  test("two runs are compared by their conf", async () => {
    await tree().row("cannot").contextMenu("Compare With…");
    await workbench.quickInput.choose("holds");
    await workbench.tab("cannot spark-").first().waitFor();
    await workbench.picture("lifecycle-10-runs");
    await workbench.command("Spark: Compare With…");
    await workbench.quickInput.choose("holds");
    await workbench.quickInput.choose("driver");
    await workbench.quickInput.choose("cannot");
    await workbench.tab("holds spark-").first().waitFor();
  });

  test("the tree is filtered by typed text and shows the filter", async () => {
    await workbench.command("Spark: Filter Applications…");
    await workbench.picture("lifecycle-11-filter");
    await workbench.quickInput.answer("canno");
    await untilRows("one application", (found) => !found.some((row) => row.startsWith("holds")));
    await workbench.pictures("lifecycle-12-filtered");
    await workbench.command("Spark: Clear Filter");
    await untilRows("both", (found) => found.some((row) => row.startsWith("holds")));
  });

  test("a restarted application runs with its original submission", async () => {
    const before = (await objects("Pod")).find((name) => /^cannot-.*-driver$/.test(name));
    await tree().row("cannot").contextMenu("Restart Application…");
    await workbench.answerDialog('Restart "cannot"?', "Restart");
    await eventually(
      "another driver",
      () => objects("Pod"),
      (names) => names.some((name) => /^cannot-.*-driver$/.test(name) && name !== before),
      startMs,
    );
    await untilRows("it running", (found) =>
      found.some((row) => row.startsWith("cannot: running")),
    );
    await untilRows("its executors", (found) => found.some(isRunning(1)));
  });

  test("a deleted driver has time to delete its executors", async () => {
    await tree().row("cannot").contextMenu("Delete…");
    const question = 'Delete "cannot"?';
    assert.match(await workbench.dialog(question).innerText(), /Still running.*"cannot"/);
    await workbench.picture("lifecycle-13-delete");
    await workbench.answerDialog(question, "Delete Driver Only");
    await untilRows("the other one alone", (found) => !found.some((row) => /^cannot/.test(row)));
    assert.ok(!(await objects("Pod")).some((name) => name.startsWith("cannot-")));
  });

  test("leftovers of an application are found, listed and deleted, and nothing else", async () => {
    const metadata = { labels: { "spark-app-selector": "spark-gone" } };
    await create({
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...metadata, name: "gone-driver-svc" },
      spec: { clusterIP: "None", ports: [{ name: "ui", port: 4040 }], selector: { a: "b" } },
    });
    await create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { ...metadata, name: "gone-conf-map" },
      data: {},
    });
    const before = [...(await objects("ConfigMap")), ...(await objects("Service"))];
    await workbench.command("Spark: Clean Up…");
    await workbench.quickInput.root
      .getByText(/^Service gone-driver-svc/)
      .first()
      .waitFor();
    await workbench.picture("lifecycle-14-clean-up");
    await workbench.quickInput.accept();
    const cleaned = "Delete leftover resources?";
    // The previous test deleted only the driver, which left its NetworkPolicy without an owner.
    const words = await workbench.dialog(cleaned).innerText();
    assert.match(words, /NetworkPolicy cannot-\S+-policy/);
    await workbench.picture("lifecycle-15-clean-up-question");
    await workbench.answerDialog(cleaned, "Delete 2 Objects");
    // The config map has no owner and may belong to a driver outside the cluster, so it is deleted
    // only if the user ticks it.
    const rest = before.filter((name) => name !== "gone-driver-svc");
    await eventually(
      "the service gone",
      async () => [...(await objects("ConfigMap")), ...(await objects("Service"))],
      (names) => names.join() === rest.join(),
      60_000,
    );
    await untilRows("the other one unharmed", (found) =>
      found.some((row) => row.startsWith("holds: running")),
    );
  });

  test("stopping an application deletes all its objects", async () => {
    await tree().row("holds").inlineAction("Stop Application…");
    await workbench.answerDialog('Stop "holds"?', "Stop Application");
    await untilRows("an empty tree", (found) => found.length === 0);
  });

  test("scaling a set adds and removes executors that the driver uses", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.answer("scales");
    const runningOf = (found: readonly string[]): number =>
      found.filter((row) => /^executor \d+: running/.test(row)).length;
    await untilRows("one executor", (found) => runningOf(found) === 1);
    await tree().row("scales").contextMenu("Scale Application…");
    await workbench.picture("lifecycle-16-scale");
    await workbench.quickInput.answer("3");
    const more = 'Scale "scales" from 1 to 3 executors?';
    assert.match(
      await workbench.dialog(more).innerText(),
      /StatefulSet "spark-s-spark-\w+-0" adds 2\./,
    );
    await workbench.answerDialog(more, "Scale to 3");
    await untilRows("three executors", (found) => runningOf(found) === 3);
    const working = (page: unknown): number =>
      itemsOf(page)
        .map(fieldsOf)
        .filter(({ id, isActive }) => id !== "driver" && isActive === true).length;
    const page = () => driverPage("executors", "scales");
    await eventually("three at the driver", page, (told) => working(told) === 3, startMs);
    const fewer = 'Scale "scales" from 3 to 1 executors?';
    await workbench.inThemes(async (theme) => {
      await tree().row("scales").contextMenu("Scale Application…");
      await workbench.quickInput.answer("1");
      const words = await workbench.dialog(fewer).innerText();
      assert.match(words, /This will delete: spark-s-spark-\w+-0-1, spark-s-spark-\w+-0-2\./);
      await workbench.picture(`lifecycle-17-fewer-${theme}`);
      await workbench.answerDialog(fewer, "Cancel");
    });
    await tree().row("scales").contextMenu("Scale Application…");
    await workbench.quickInput.answer("1");
    await workbench.answerDialog(fewer, "Scale to 1");
    await untilRows("one executor", (found) => runningOf(found) === 1);
    await eventually("one at the driver", page, (told) => working(told) === 1, startMs);
    await tree().row("scales").contextMenu("Scale Application…");
    await workbench.quickInput.answer("0");
    await workbench.answerDialog('Scale "scales" from 1 to 0 executors?', "Scale to 0");
    await untilRows("no executor", (found) => runningOf(found) === 0);
    await tree().row("scales").contextMenu("Scale Application…");
    await workbench.quickInput.answer("1");
    await workbench.answerDialog('Scale "scales" from 0 to 1 executors?', "Scale to 1");
    await untilRows("an executor again", (found) => runningOf(found) === 1);
  });

  test("one question scales two applications, each by its own set", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.answer("widens");
    const isOf = (count: number) => (row: string) =>
      new RegExp(`^(?:scales|widens): running · ${count} of ${count} executors?`).test(row);
    const untilBoth = (count: number): Promise<unknown> =>
      untilRows(`both with ${count}`, (found) => found.filter(isOf(count)).length === 2);
    await untilBoth(1);
    await tree().row("scales").click();
    await tree().row("widens").clickToo();
    await tree().row("widens").contextMenu("Scale Application…");
    await workbench.picture("lifecycle-18-scale-two");
    await workbench.quickInput.answer("2");
    const question = "Scale 2 applications to 2 executors each?";
    const words = await workbench.dialog(question).innerText();
    assert.match(words, /(?:StatefulSet "spark-s-spark-\w+-0" adds 1\.[^]*){2}/);
    await workbench.picture("lifecycle-19-scale-two-question");
    await workbench.answerDialog(question, "Scale to 2");
    await untilBoth(2);
  });

  test("one question restarts two applications, each with its original submission", async () => {
    const drivers = async (): Promise<readonly string[]> =>
      (await objects("Pod")).filter((name) => /^(?:scales|widens)-.*-driver$/.test(name));
    const before = await drivers();
    assert.equal(before.length, 2);
    await tree().row("scales").click();
    await tree().row("widens").clickToo();
    await tree().row("widens").contextMenu("Restart Application…");
    const question = "Restart 2 applications?";
    const words = await workbench.dialog(question).innerText();
    assert.match(words, /4 executor pods, 2 StatefulSets, 2 Services/);
    await workbench.picture("lifecycle-20-restart-two");
    await workbench.answerDialog(question, "Restart 2 Applications");
    await eventually(
      "two other drivers",
      drivers,
      (now) => now.length === 2 && now.every((name) => !before.includes(name)),
      startMs,
    );
    await untilRows("both run", (found) => {
      const running = found.filter((row) => /^(?:scales|widens): running/.test(row));
      return running.length === 2;
    });
  });
});
