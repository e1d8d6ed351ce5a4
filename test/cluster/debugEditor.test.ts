// Debugging in a real VS Code on a real cluster: a breakpoint in the driver's code, variables, the end of the run, and
// the Stop button.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../host/eventually.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { makeDebugExtension } from "./debugExtension.ts";
import { quickJvms } from "./quickJvms.ts";
import { requireCluster } from "./requireCluster.ts";
import { driversIn, openEditor, openTestPlace, tasksJson, type TestPlace } from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-debug-editor-${process.pid}`;
const startMs = 120_000;

const program = `from shop.tax import tax

net = 200
gross = tax(net)
print("gross", gross)
`;

const profile = {
  type: "spark",
  label: "orders",
  application: "${workspaceFolder}/orders.py",
  image,
  namespace,
  serviceAccount: "spark",
  conf: {
    "spark.kubernetes.driver.request.cores": "0.1",
    "spark.driver.memory": "512m",
    ...quickJvms,
  },
};

describe("debugging in the editor", { timeout: 600_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let place: TestPlace;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    const extension = await makeDebugExtension(place.folder);
    ({ host, workbench } = await openEditor(
      kubeconfig,
      namespace,
      {
        ".vscode/tasks.json": tasksJson([profile]),
        "orders.py": program,
        "shop/__init__.py": "",
        "shop/tax.py": "def tax(net):\n    rate = 10\n    return net + net * rate // 100\n",
      },
      { settings: { "debug.console.fontSize": 11 }, extensions: [extension] },
    ));
  });
  after(async () => {
    await host.stop();
    await place.close();
  });

  async function breakAt(file: string, line: number): Promise<void> {
    await workbench.openFile(file);
    await workbench.page.keyboard.press("Control+g");
    await workbench.page.keyboard.type(`${line}`);
    await workbench.page.keyboard.press("Enter");
    await workbench.page.keyboard.press("F9");
    await workbench.page.locator(".codicon-debug-breakpoint").first().waitFor();
  }

  const paused = () =>
    workbench.page.locator(".debug-call-stack").getByText("Paused on breakpoint");

  const drivers = async (): Promise<number> =>
    (await driversIn(place.connection, namespace)).length;

  test("a breakpoint in an imported module stops the driver, and shows its variables", async () => {
    await breakAt("tax.py", 3);
    await workbench.openFile("orders.py");
    await workbench.command("Spark: Debug on Cluster");
    await paused().first().waitFor({ timeout: startMs });
    const variables = workbench.page.locator(".debug-variables");
    await variables.getByText("Locals").click();
    await variables.getByText("rate").first().waitFor();
    await workbench.pictures("debug-1-paused");
    assert.match(await variables.innerText(), /net.*200/s);
  });

  test("continue runs the application to its end", async () => {
    await workbench.page.keyboard.press("F5");
    await workbench.waitForTerminal("gross 220", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    await workbench.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
    await workbench.picture("debug-2-ended");
  });

  test("Stop deletes the driver that waits at a breakpoint", async () => {
    const before = await drivers();
    await workbench.openFile("orders.py");
    await workbench.command("Spark: Debug on Cluster");
    await paused().first().waitFor({ timeout: startMs });
    assert.equal(await drivers(), before + 1);
    await workbench.page.locator(".debug-toolbar .codicon-debug-stop").click();
    await eventually("its deletion", drivers, (count) => count === before, startMs);
    await workbench.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
    await workbench.picture("debug-3-stopped");
  });
});
