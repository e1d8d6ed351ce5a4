// A Spark session in a real VS Code on a real cluster: start, selection, table, terminal, reload, stop.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Clusters, Connection } from "../../src/engine/ports/connection.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { connectClient } from "./connectClient.ts";
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

const query = `-- orders; by day
select id as order_id, concat('<b>customer ', id, '</b>') as customer, id * 1.5 as gross,
  if(id % 5 = 0, null, 'paid') as state
from range(300);
`;

const program = `net = 100
orders = spark.range(3).selectExpr("id", "id * 2 as twice")
print("net", net)
orders
`;

const script = `from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
print("sum", spark.range(10).selectExpr("sum(id) as s").collect()[0].s)
`;

describe("a Spark session in the editor", { timeout: 1_500_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let clusters: Clusters;
  let connection: Connection;
  let own: TestNamespace;

  before(async () => {
    const python = await connectClient("4");
    clusters = openTestClusters();
    connection = await connectTo(clusters, kubeconfig);
    own = await makeTestNamespace(connection, namespace);
    host = await VscodeHost.start({
      version: "newest",
      // A window of a server takes machine settings from another file.
      env: { KUBECONFIG: kubeconfig, PATH: `${dirname(python)}:${process.env["PATH"] ?? ""}` },
      settings: { "sparkK8s.namespaces": [namespace] },
    });
    workbench = await host.open(
      await host.makeWorkspace({
        ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks: [profile] }, undefined, 2),
        "orders.sql": query,
        "orders.py": program,
        "sum.py": script,
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

  /** The page of the result panel. */
  const result = () =>
    workbench.page.frameLocator("iframe.webview").frameLocator("iframe").locator("body");

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

  test("a selected query is a table whose cells are text", async () => {
    await workbench.openFile("orders.sql");
    await workbench.command("Spark: Run Selection in Session");
    await result().getByText("300 rows").waitFor({ timeout: startMs });
    await result().getByText("<b>customer 7</b>").waitFor();
    await workbench.pictures("session-4-table");
    const first = result().locator('[data-row="0"][data-column="0"]');
    await first.click();
    await workbench.page.keyboard.press("Control+End");
    await result().locator('[data-row="299"][data-column="3"]').waitFor();
    assert.equal(await result().locator(":focus").innerText(), "paid");
    await workbench.picture("session-5-end");
  });

  test("a selection of a program keeps its variables, and shows its failure", async () => {
    await workbench.openFile("orders.py");
    await workbench.page.keyboard.press("Control+a");
    await workbench.command("Spark: Run Selection in Session");
    await result().getByText("3 rows").waitFor({ timeout: startMs });
    await result().getByText("net 100").waitFor();
    await workbench.editor.root.click();
    await workbench.page.keyboard.press("Control+End");
    await workbench.page.keyboard.type("net / 0");
    await workbench.command("Spark: Run Selection in Session");
    await result().getByText("ZeroDivisionError").waitFor({ timeout: startMs });
    await workbench.pictures("session-6-failed");
  });

  test("a script in a new terminal uses the session", async () => {
    await workbench.command("Terminal: Create New Terminal");
    await workbench.typeInTerminal("python3 -W ignore sum.py");
    await workbench.pressInTerminal("Enter");
    await workbench.waitForTerminal("sum 45", startMs);
    await workbench.picture("session-7-terminal");
  });

  test("a reloaded window connects to the session again", async () => {
    await workbench.reload();
    await workbench.statusBarItem("orders-session").waitFor({ timeout: startMs });
    await workbench.openFile("orders.sql");
    await workbench.command("Spark: Run Selection in Session");
    await result().getByText("300 rows").waitFor({ timeout: startMs });
  });

  test("Stop Session says who uses it, and the window disconnects", async () => {
    await workbench.command("Spark: Stop Session…");
    await workbench.quickInput.choose("orders-session");
    await workbench.dialog("Users of the session").waitFor();
    await workbench.picture("session-8-stop");
    await workbench.answerDialog("Users of the session", "Stop Application");
    await workbench.notification("has ended").waitFor({ timeout: startMs });
    await workbench.statusBarItem("orders-session").waitFor({ state: "hidden" });
  });
});
