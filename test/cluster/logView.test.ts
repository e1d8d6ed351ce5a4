// Logs from a real node in a real VS Code: one terminal for each application, and a screenshot after each step.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { openClusters } from "../../src/cluster/door.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { systemClock } from "../../src/engine/systemClock.ts";
import type { Manifest } from "../../src/spark/submit/plan/manifest.ts";
import { eventually } from "../host/eventually.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { requireCluster } from "./requireCluster.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-view-${process.pid}`;

const program = `from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()


def share(part, whole):
    return part / whole


print(share(1, 0))
`;

/** A shell script that prints the output of a driver. The second stack trace equals the first. */
const driverScript = `
say() { printf '%s %s\\n' "$(date +'%y/%m/%d %H:%M:%S')" "$*"; }
trace() {
  say 'ERROR TaskSetManager: Task 0 in stage 1.0 failed 4 times; aborting job'
  printf '%s\\n' 'Traceback (most recent call last):' \\
    '  File "/opt/spark/work-dir/jobs/orders.py", line 10, in <module>' \\
    '    print(share(1, 0))' \\
    '  File "/opt/spark/work-dir/jobs/orders.py", line 7, in share' \\
    '    return part / whole' \\
    'ZeroDivisionError: division by zero'
}
say 'INFO SparkContext: Running Spark version 4.3.0'
say 'INFO DAGScheduler: Submitting ShuffleMapStage 0 (map at orders.py:6), which has no missing parents'
say 'WARN TaskSetManager: Lost task 0.0 in stage 0.0 (TID 0): spark.hadoop.fs.s3a.secret.key=hunter2'
say 'INFO DAGScheduler: Submitting ResultStage 1 (count at orders.py:10), which has no missing parents'
trace; sleep 1; trace
n=0; while true; do n=$((n+1)); say "INFO BlockManagerInfo: Added broadcast_$n in memory"; sleep 1; done`;

const executorScript = `
n=0; while true; do n=$((n+1)); printf '%s INFO Executor: Finished task %s.0 in stage 0.0 (TID %s)\\n' "$(date +'%y/%m/%d %H:%M:%S')" "$n" "$n"; sleep 1; done`;

const podOf = (role: "driver" | "executor", number: number): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: role === "driver" ? "orders-driver" : `orders-exec-${number}`,
    labels: {
      "spark-app-selector": "spark-orders",
      "spark-app-name": "orders",
      "spark-role": role,
      ...(role === "executor" && { "spark-exec-id": String(number) }),
    },
  },
  spec: {
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: role === "driver" ? "spark-kubernetes-driver" : "spark-kubernetes-executor",
        image,
        imagePullPolicy: "IfNotPresent",
        command: ["/bin/bash", "-c", role === "driver" ? driverScript : executorScript],
        resources: { requests: { cpu: "10m" } },
      },
    ],
  },
});

/** Another application, which fails at once. */
const failedDriver: Manifest = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "nightly-driver",
    labels: {
      "spark-app-selector": "spark-nightly",
      "spark-app-name": "nightly",
      "spark-role": "driver",
    },
  },
  spec: {
    restartPolicy: "Never",
    containers: [
      {
        name: "spark-kubernetes-driver",
        image,
        imagePullPolicy: "IfNotPresent",
        command: [
          "/bin/bash",
          "-c",
          "echo spark.hadoop.some.password=hunter2; echo 'no such table'; exit 1",
        ],
        resources: { requests: { cpu: "10m" } },
      },
    ],
  },
};

describe("the logs of an application", { timeout: 300_000 }, () => {
  let folder: string;
  let clusters: Clusters;
  let connection: Connection;
  let own: TestNamespace;
  let host: VscodeHost;
  let workbench: Workbench;

  const create = async (pod: Manifest): Promise<void> => {
    const options = { dryRun: false, charset: false };
    const signal = AbortSignal.timeout(20_000);
    assert.ok((await connection.objects.create(namespace, pod, options, signal)).ok);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-view-"));
    clusters = openClusters({
      clock: systemClock,
      random: Math.random,
      env: process.env,
      homeDirectory: folder,
      userAgent: "spark-k8s-test",
      log: () => undefined,
    });
    const settings = { kubeconfigFiles: [kubeconfig], mayRunPlugins: true };
    const connected = await clusters.connect(undefined, settings, AbortSignal.timeout(10_000));
    assert.ok(connected.ok, "the cluster can be connected to");
    connection = connected.value;
    own = await makeTestNamespace(connection, namespace);
    await create(podOf("driver", 0));
    await create(podOf("executor", 1));
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: kubeconfig },
      settings: { "sparkK8s.namespaces": [namespace], "editor.accessibilitySupport": "on" },
    });
    workbench = await host.open(await host.makeWorkspace({ "jobs/orders.py": program }));
    await workbench.openContainer("Spark");
    await workbench.tree("Applications").row("orders").waitFor();
  });

  after(async () => {
    await host.stop();
    await own.remove();
    clusters.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(async ({ name }) => {
    await workbench.picture(`logs-last-${name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 40)}`);
  });

  test("the last lines of a failed driver are kept without a reader, with one notification", async () => {
    await create(failedDriver);
    await workbench.notification("are kept on this machine").waitFor({ timeout: 60_000 });
    await workbench.picture("logs-kept-told");
    const pod = { apiVersion: "v1", kind: "Pod", namespace, name: "nightly-driver" };
    const how = { uid: undefined, propagationPolicy: "Background", gracePeriodSeconds: 0 } as const;
    const deleted = await connection.objects.delete(pod, how, AbortSignal.timeout(20_000));
    assert.ok(deleted.ok);
    await workbench.dismissNotifications();
    await workbench.command("Spark: Open Kept Log…");
    await workbench.quickInput.choose("nightly driver");
    await workbench.editor.waitForText("no such table");
    await workbench.editor.waitForText("some.password=*********(redacted)");
    await workbench.picture("logs-kept-failed");
  });

  test("one terminal follows the driver and all executors, including later ones", async () => {
    await workbench.tree("Applications").row("orders").inlineAction("Tail Logs…");
    await workbench.waitForTerminal("Running Spark version 4.3.0", 60_000);
    await workbench.waitForTerminal("executor 1", 60_000);
    await create(podOf("executor", 2));
    await workbench.waitForTerminal("executor 2 connected", 60_000);
    await workbench.waitForTerminal("… 5 more lines (trace #");
    await workbench.waitForTerminal("… the same as trace #");
    await workbench.pictures("logs-merged");
  });

  test("a trace is a problem at the failed line with a link to the log", async () => {
    const problems = await workbench.problems();
    const problem = problems.filter({ hasText: "ZeroDivisionError: division by zero" }).first();
    await problem.waitFor();
    await workbench.picture("logs-problem");
    await workbench.page
      .locator(".markers-panel")
      .getByText("in the log of driver")
      .first()
      .dblclick();
    await workbench.tab("orders driver.log").waitFor();
    await workbench.picture("logs-problem-link");
  });

  test("keys filter the log and show all lines again", async () => {
    await workbench.command("Terminal: Focus Terminal");
    await workbench.pressInTerminal("l");
    await workbench.pressInTerminal("l");
    await eventually(
      "warnings alone",
      () => workbench.terminalText(),
      (text) => text.includes("WARN TaskSetManager") && !text.includes("INFO Executor"),
    );
    await workbench.pictures("logs-filtered");
    await workbench.pressInTerminal("l");
    await workbench.pressInTerminal("l");
    await workbench.waitForTerminal("INFO Executor");
    await workbench.pressInTerminal("f");
    await workbench.waitForTerminal("line 7, in share");
    await workbench.picture("logs-unfolded");
    await workbench.pressInTerminal("f");
    await workbench.pressInTerminal("m");
    await workbench.quickInput.row("Filter by Text…").waitFor();
    await workbench.picture("logs-menu");
    await workbench.quickInput.cancel();
  });

  test("a screen reader gets the lines as text", async () => {
    const read = workbench.page.locator(".terminal-wrapper.active .xterm-accessibility-tree");
    await read.getByText("INFO Executor").first().waitFor({ state: "attached" });
  });

  test("a log opens as a document, folded and with an outline", async () => {
    await workbench.tree("Applications").row("orders").contextMenu("Open Log");
    await workbench.tab("orders driver.log").last().waitFor();
    await workbench.command("View: Focus into Outline").catch(() => undefined);
    await workbench.picture("logs-document");
  });

  test("the kept log of an executor opens after its pod was deleted, without secrets", async () => {
    await workbench.tree("Applications").row("orders").contextMenu("Keep Logs");
    await workbench.notification(/The logs of .+ are saved on this machine/).waitFor();
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    for (const name of ["orders-exec-2"]) {
      const pod = { apiVersion: "v1", kind: "Pod", namespace, name };
      const options = {
        uid: undefined,
        propagationPolicy: "Background" as const,
        gracePeriodSeconds: 0,
      };
      const deleted = await connection.objects.delete(pod, options, AbortSignal.timeout(20_000));
      assert.ok(deleted.ok);
    }
    await workbench.waitForTerminal("executor 2: ", 30_000);
    await workbench.command("Spark: Open Kept Log…");
    await workbench.quickInput.row("orders executor 2").waitFor();
    await workbench.picture("logs-kept-list");
    await workbench.quickInput.choose("orders executor 2");
    await workbench.tab("orders executor 2 (kept).log").waitFor();
    await workbench.pictures("logs-kept");
    await workbench.command("Spark: Search Kept Logs…");
    await workbench.quickInput.answer("secret.key");
    await workbench.quickInput.waitFor('Lines with "secret.key"');
    const labels = await workbench.quickInput.labels();
    assert.ok(labels.length > 0);
    for (const label of labels) assert.match(label, /secret\.key=\*+\(redacted\)/);
    await workbench.picture("logs-kept-search");
    await workbench.quickInput.cancel();
  });
});
