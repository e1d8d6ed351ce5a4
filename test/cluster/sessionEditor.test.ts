// A Spark session in a real VS Code on a real cluster: the preview, and the connection when the driver is ready.
import { after, before, describe, test } from "node:test";
import { eventually } from "../host/eventually.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { requireCluster } from "./requireCluster.ts";
import { openEditor, openTestPlace, smallConf, tasksJson, type TestPlace } from "./testPlace.ts";

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
  conf: { ...smallConf, "spark.driver.memory": "600m" },
};

describe("a Spark session in the editor", { timeout: 1_500_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let place: TestPlace;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ host, workbench } = await openEditor(
      kubeconfig,
      namespace,
      { ".vscode/tasks.json": tasksJson([profile]), "orders.py": "print(1)\n" },
      { size: { width: 1500, height: 900 } },
    ));
  });
  after(async () => {
    await host.stop();
    await place.close();
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
    await workbench.page.keyboard.type("spark-k8s/session");
    await workbench.editor.waitForText("spark-k8s/session");
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

  test("Run Selection names the missing client each time, without a result panel", async () => {
    await workbench.openFile("orders.py");
    for (let run = 0; run < 2; run += 1) {
      await workbench.page.keyboard.press("Control+a");
      await workbench.command("Spark: Run Selection in Session");
      await workbench.notification("cannot run selections").waitFor({ timeout: 60_000 });
      await workbench.dismissNotifications();
      await workbench.openFile("orders.py");
    }
  });

  test("Open Spark Shell runs statements, and closing its terminal deletes the driver", async () => {
    await workbench.tree("Run Profiles").row("orders").contextMenu("Open Spark Shell…");
    await workbench.quickInput.choose("pyspark");
    await workbench.waitForTerminal(">>>", startMs);
    await workbench.typeInTerminal("print('count', spark.range(10).count() * 7)\n");
    await workbench.waitForTerminal("count 70", startMs);
    await workbench.picture("session-4-shell");
    const applications = workbench.tree("Applications");
    const isShell = ({ label }: { readonly label: string }): boolean => label === "orders-pyspark";
    await eventually(
      "the shell in the tree",
      () => applications.rows(),
      (rows) => rows.some(isShell),
    );
    await workbench.command("Terminal: Kill the Active Terminal Instance");
    await eventually(
      "the end of the shell",
      () => applications.rows(),
      (rows) => !rows.some(isShell),
      startMs,
    );
  });
});
