// A Java program in the workspace on a real cluster: built by its profile's build command, and sent as a thin jar.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Clusters } from "../../src/engine/ports/connection.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { quickJvms } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-jvm-${process.pid}`;
const startMs = 120_000;
const [home] = (process.env["SPARK_K8S_SPARK_HOMES"] ?? "").split(/[\s:]+/).filter(Boolean);

const orders = `package shop;

import org.apache.spark.sql.SparkSession;

public class Orders {
  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    System.out.println("orders " + spark.range(10).count());
    spark.stop();
  }
}
`;

const profile = {
  type: "spark",
  label: "orders",
  application: "${workspaceFolder}/src/main/java/shop/Orders.java",
  build:
    "mkdir -p target/classes && " +
    `javac -proc:none -cp '${home ?? ""}/jars/*' -d target/classes src/main/java/shop/Orders.java && ` +
    "jar cf target/orders-1.jar -C target/classes .",
  image,
  namespace,
  serviceAccount: "spark",
  conf: {
    "spark.kubernetes.driver.request.cores": "0.1",
    "spark.kubernetes.executor.request.cores": "0.1",
    "spark.driver.memory": "600m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": 1,
    ...quickJvms,
  },
};

describe("a Java program of the workspace", { timeout: 300_000, skip: home === undefined }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let clusters: Clusters;
  let own: TestNamespace;

  before(async () => {
    clusters = openTestClusters();
    own = await makeTestNamespace(await connectTo(clusters, kubeconfig), namespace);
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: kubeconfig },
      settings: { "sparkK8s.namespaces": [namespace] },
    });
    const folder = await host.makeWorkspace({
      ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks: [profile] }, undefined, 2),
      "pom.xml": "<project/>\n",
      "src/main/java/shop/Orders.java": orders,
    });
    workbench = await host.open(folder);
    await workbench.openContainer("Spark");
    await workbench.openFile("Orders.java");
  });
  after(async () => {
    await host.stop();
    await own.remove();
    clusters.dispose();
  });

  test("Show What Is Sent builds nothing and names the missing jar", async () => {
    await workbench.command("Spark: Show What Is Sent");
    const problems = await workbench.problems();
    await problems.filter({ hasText: "no jar matches target/*.jar" }).first().waitFor();
  });

  test("Run on Cluster builds the jar, sends it and runs its main class", async () => {
    await workbench.openFile("Orders.java");
    await workbench.command("Spark: Run on Cluster");
    await workbench.waitForTerminal("orders 10", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    await workbench.pictures("jvm-1-run");
    const problems = await (await workbench.problems()).allInnerTexts();
    assert.deepEqual(
      problems.filter((text) => text.includes("no jar")),
      [],
    );
  });
});
