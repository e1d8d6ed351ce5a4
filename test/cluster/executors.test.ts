// Compares the executors table in a real VS Code with the REST API of a real driver.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fieldsOf, itemsOf, numberOf, textOf } from "../../src/base/json.ts";
import { inEnglish } from "../../src/base/message.ts";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { describeDuration } from "../../src/spark/describeDuration.ts";
import { eventually } from "../host/eventually.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { requireCluster } from "./requireCluster.ts";
import { submitExample } from "./submitted.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-executors-${process.pid}`;
const startMs = 420_000;

describe("the table of executors", { timeout: 900_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let clusters: Clusters;
  let connection: Connection;
  let own: TestNamespace;
  let driver: string;

  before(async () => {
    clusters = openTestClusters();
    connection = await connectTo(clusters, kubeconfig);
    own = await makeTestNamespace(connection, namespace);
    const submitted = await submitExample(connection, own, {
      name: "sleeps",
      image,
      args: ["sleep", "600", "2"],
      conf: {
        // On a busy machine, a driver with 0.1 cores is too slow for its REST API to respond.
        "spark.kubernetes.driver.request.cores": "0.5",
        "spark.executor.instances": "2",
        "spark.executor.processTreeMetrics.enabled": "true",
      },
    });
    driver = submitted.driverPod.name;
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: kubeconfig },
      settings: { "sparkK8s.namespaces": [namespace] },
    });
    workbench = await host.open(await host.makeWorkspace({}));
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    await own.remove();
    clusters.dispose();
  });

  const page = async (path: string): Promise<unknown> => {
    const pod = { namespace, name: driver, port: 4040 };
    const read = await connection.pages.read(pod, path, AbortSignal.timeout(60_000));
    assert.ok(read.ok, JSON.stringify(read));
    return read.value;
  };
  /** Computes the expected cells of each executor from the driver's REST API. */
  const truth = async (): Promise<readonly string[]> => {
    const root = "/api/v1/applications";
    const id = textOf(fieldsOf(itemsOf(await page(root))[0])["id"]) ?? "";
    return itemsOf(await page(`${root}/${id}/allexecutors`)).map((item) => {
      const fields = fieldsOf(item);
      const number = (name: string): number => numberOf(fields[name]) ?? 0;
      const heap = numberOf(fieldsOf(fields["peakMemoryMetrics"])["JVMHeapMemory"]) ?? 0;
      const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
      return [
        textOf(fields["id"]) ?? "",
        heap === 0 ? "-" : mebibytes(heap),
        mebibytes(number("memoryUsed")),
        mebibytes(number("maxMemory")),
        inEnglish(describeDuration(number("totalGCTime"))),
        inEnglish(describeDuration(number("totalDuration"))),
        ...["activeTasks", "completedTasks", "failedTasks"].map((name) => `${number(name)}`),
      ].join(" | ");
    });
  };
  const shown = async (): Promise<readonly string[]> => {
    const lines = (await workbench.editor.text()).replaceAll("\u00a0", " ").split("\n");
    const titles = lines.find((line) => line.startsWith("Executor "))?.split(/ {2,}/) ?? [];
    const wanted = [
      ...["Executor", "Peak heap", "Storage", "Storage limit", "GC time", "Task time"],
      ...["Active", "Completed", "Failed"],
    ];
    return lines
      .filter((line) => /^(?:driver|\d+) {2}/.test(line))
      .map((line) => {
        const cells = line.split(/ {2,}/);
        return wanted.map((title) => cells[titles.indexOf(title)] ?? "?").join(" | ");
      });
  };

  /** Removes the driver's peak heap, GC time and task time, which change between any two responses. */
  const withoutClocks = (row: string): string =>
    row.startsWith("driver ")
      ? row
          .split(" | ")
          .filter((_, index) => ![1, 4, 5].includes(index))
          .join(" | ")
      : row;

  test("has the numbers of the driver's REST API, and follows them", async () => {
    await eventually(
      "both executors",
      async () => (await workbench.tree("Applications").rows()).map(({ label }) => label),
      (labels) => labels.includes("executor 1") && labels.includes("executor 2"),
      startMs,
    );
    await workbench.tree("Applications").row("sleeps").contextMenu("Show Executors");
    await workbench.editor.waitForText("The driver and 2 executors, sorted by memory usage.");
    // The driver's numbers keep changing, and the document is a snapshot of them.
    let before: readonly string[] = [];
    await eventually(
      "the driver's numbers",
      async () => {
        const own = (await truth()).map(withoutClocks);
        const same = (await shown()).map(withoutClocks).sort();
        const isSame = [before, own].some((one) => [...one].sort().join() === same.join());
        before = own;
        return isSame ? "same" : `${same.join("\n")}\nbut the driver says\n${own.join("\n")}`;
      },
      (answer) => answer === "same",
      startMs,
    );
    await workbench.pictures("executors-1");
  });

  test("says so if the driver has ended", async () => {
    const pod = { apiVersion: "v1", kind: "Pod", namespace, name: driver };
    const how = { uid: undefined, propagationPolicy: "Background", gracePeriodSeconds: 1 } as const;
    const deleted = await connection.objects.delete(pod, how, AbortSignal.timeout(20_000));
    assert.ok(deleted.ok);
    await workbench.editor.waitForText("No metrics from the driver.");
    await workbench.picture("executors-2-ended");
  });
});
