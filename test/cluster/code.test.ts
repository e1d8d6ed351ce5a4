// Runs code in the workspace on a real cluster: it is run from the editor, fails at a line, is fixed and run again.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../host/eventually.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { requireCluster } from "./requireCluster.ts";
import { openEditor, openTestPlace, smallConf, tasksJson, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-code-${process.pid}`;
const startMs = 120_000;

const orders = `from pyspark.sql import SparkSession

from shop.tax import with_tax

spark = SparkSession.builder.getOrCreate()
net = spark.sparkContext.parallelize([100, 200], 2)
print("gross", net.map(with_tax).sum())
spark.stop()
`;
const tax = (rate: string): string => `def with_tax(net):\n    return net + net * ${rate} // 100\n`;

const profile = {
  type: "spark",
  label: "orders",
  application: "${workspaceFolder}/jobs/orders.py",
  image,
  namespace,
  serviceAccount: "spark",
  conf: { ...smallConf, "spark.task.maxFailures": 1 },
};

const streamed = { ...profile, label: "streamed", delivery: "stream" };

describe("code of the workspace", { timeout: 600_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let place: TestPlace;
  let folder: string;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ host, workbench, folder } = await openEditor(kubeconfig, namespace, {
      ".vscode/tasks.json": tasksJson([profile, streamed]),
      "jobs/orders.py": orders,
      "shop/__init__.py": "",
      "shop/tax.py": tax("rate"),
      "shop/unused.py": "raise Exception('not imported')\n",
      ".env": "PASSWORD=hunter2\n",
    }));
    await workbench.openFile("orders.py");
  });
  after(async () => {
    await host.stop();
    await place.close();
  });

  test("Show What Is Sent lists the program and the modules that it imports", async () => {
    await workbench.command("Spark: Show What Is Sent");
    await workbench.tab("sent.txt").waitFor();
    await workbench.editor.waitForText("shop/tax.py");
    const text = await workbench.editor.root.innerText();
    assert.match(text, /orders\.py/);
    assert.doesNotMatch(text, /unused|\.env/);
    await workbench.pictures("code-1-sent");
    await workbench.openFile("orders.py");
  });

  test("Run on Cluster runs the file, and a failure is a problem at the line of the module", async () => {
    await workbench.command("Spark: Run on Cluster");
    await workbench.waitForTerminal("name 'rate' is not defined", startMs);
    await workbench.waitForTerminal("driver: failed", startMs);
    const problems = await workbench.problems();
    await problems.filter({ hasText: "tax.py" }).first().waitFor();
    await problems.filter({ hasText: "is not defined" }).first().waitFor();
    await workbench.pictures("code-2-failed");
  });

  test("the fixed module is sent with the next run, without a question", async () => {
    await writeFile(join(folder, "shop/tax.py"), tax("10"));
    await workbench.command("Spark: Run Last Again");
    await workbench.waitForTerminal("gross 330", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    await workbench.pictures("code-3-fixed");
  });

  test("a stream delivers the same code through an init container", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.choose("streamed");
    await workbench.waitForTerminal("streamed into the driver pod", startMs);
    await workbench.waitForTerminal("gross 330", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
  });

  test("deleting the driver pod deletes its code", async () => {
    const maps = async (): Promise<readonly string[]> => {
      const kind = { apiVersion: "v1", kind: "ConfigMap" };
      const listed = await place.connection.objects.list(
        kind,
        namespace,
        "",
        AbortSignal.timeout(5000),
      );
      assert.ok(listed.ok);
      return listed.value.map(({ name }) => name).filter((name) => name.endsWith("-code"));
    };
    assert.equal((await maps()).length, 2);
    const pods = await place.connection.objects.list(
      { apiVersion: "v1", kind: "Pod" },
      namespace,
      "spark-role=driver",
      AbortSignal.timeout(5000),
    );
    assert.ok(pods.ok);
    const options = {
      uid: undefined,
      propagationPolicy: "Background",
      gracePeriodSeconds: 0,
    } as const;
    for (const pod of pods.value) {
      assert.ok(
        (await place.connection.objects.delete(pod, options, AbortSignal.timeout(5000))).ok,
      );
    }
    await eventually("no code", maps, (names) => names.length === 0, startMs);
  });
});
