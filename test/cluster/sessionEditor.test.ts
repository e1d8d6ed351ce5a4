// A Spark session in a real VS Code on a real cluster: the preview, and the connection when the driver is ready.
import { after, before, describe, test } from "node:test";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { requireCluster } from "./requireCluster.ts";
import { connectTo, openTestClusters } from "./testConnection.ts";
import { makeTestNamespace, type TestNamespace } from "./testNamespace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-session-editor-${process.pid}`;
const startMs = 240_000;

const profile = {
  type: "spark",
  label: "orders",
  application: "${workspaceFolder}/orders.py",
  image,
  namespace,
  serviceAccount: "spark",
  conf: {
    "spark.kubernetes.driver.request.cores": "0.1",
    "spark.kubernetes.executor.request.cores": "0.1",
    "spark.driver.memory": "600m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": 1,
  },
};

describe("a Spark session in the editor", { timeout: 1_500_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let clusters: Clusters;
  let connection: Connection;
  let own: TestNamespace;

  before(async () => {
    clusters = openTestClusters();
    connection = await connectTo(clusters, kubeconfig);
    own = await makeTestNamespace(connection, namespace);
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: kubeconfig },
      settings: { "sparkK8s.namespaces": [namespace] },
    });
    workbench = await host.open(
      await host.makeWorkspace({
        ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks: [profile] }, undefined, 2),
        "orders.py": "print(1)\n",
      }),
      { width: 1500, height: 900 },
    );
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    await own.remove();
    clusters.dispose();
  });

  test("the preview shows what makes an application a session", async () => {
    await workbench.command("Spark: Start Spark Session…");
    const row = workbench.quickInput.root.locator(".quick-input-list-entry", { hasText: "orders" });
    await row.first().waitFor();
    await workbench.picture("session-1-start");
    await row.first().hover();
    await row.first().locator(".codicon-eye").click();
    await workbench.tab("preview.yaml").waitFor({ timeout: 30_000 });
    await workbench.page.keyboard.press("Control+f");
    await workbench.page.keyboard.type("SparkConnectPlugin");
    await workbench.editor.waitForText("SparkConnectPlugin");
    await workbench.picture("session-2-preview");
    await workbench.page.keyboard.press("Escape");
  });

  test("Start Spark Session connects when the driver accepts clients", async () => {
    await workbench.command("Spark: Start Spark Session…");
    await workbench.quickInput.choose("orders");
    await workbench.notification("Connected to the Spark session").waitFor({ timeout: startMs });
    await workbench.statusBarItem("orders-session").waitFor();
    await workbench.picture("session-3-connected");
    await workbench.dismissNotifications();
  });
});
