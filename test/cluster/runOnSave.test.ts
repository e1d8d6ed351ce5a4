// Run on Save on a real cluster: each save replaces the run, and recent runs are compared.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../host/eventually.ts";
import type { VscodeHost } from "../host/vscodeHost.ts";
import type { Workbench } from "../host/workbench.ts";
import { requireCluster } from "./requireCluster.ts";
import {
  driversIn,
  openEditor,
  openTestPlace,
  smallConf,
  tasksJson,
  type TestPlace,
} from "./testPlace.ts";

const { kubeconfig, image } = requireCluster();
const namespace = `spark-k8s-save-${process.pid}`;
const startMs = 120_000;

/** A program that runs until it is killed. */
const endless = `import time
from pyspark.sql import SparkSession

from shop.rate import rate

print("rate is", rate, flush=True)
spark = SparkSession.builder.getOrCreate()
time.sleep(3600)
`;

const profile = {
  type: "spark",
  label: "endless",
  application: "${workspaceFolder}/jobs/endless.py",
  image,
  namespace,
  serviceAccount: "spark",
  conf: smallConf,
};
const asking = {
  ...profile,
  label: "asking",
  application: "${workspaceFolder}/jobs/asking.py",
  args: ["${input:day}"],
};
const inputs = [{ id: "day", type: "promptString", description: "Day" }];

describe("run on save", { timeout: 600_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let place: TestPlace;

  const drivers = async (): Promise<readonly string[]> =>
    (await driversIn(place.connection, namespace)).map(({ uid }) => uid);

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ host, workbench } = await openEditor(
      kubeconfig,
      namespace,
      {
        ".vscode/tasks.json": tasksJson([profile, asking], inputs),
        "jobs/endless.py": endless,
        "shop/__init__.py": "",
        "shop/rate.py": "rate = 1\n",
        "notes.md": "# Notes\n",
      },
      { settings: { "files.autoSave": "off" } },
    ));
  });
  after(async () => {
    await host.stop();
    await place.close();
  });

  test("a profile that would ask at each save is refused", async () => {
    await workbench.tree("Run Profiles").row("asking").contextMenu("Run on Save");
    await workbench.notification("Each run would ask for").waitFor();
    await workbench.dismissNotifications();
    assert.equal(await workbench.statusBarItem("Run on Save").isVisible(), false);
  });

  test("switched on, it runs at once and shows a mark", async () => {
    await workbench.openFile("endless.py");
    await workbench.command("Spark: Run on Save");
    await workbench.statusBarItem("Run on Save: endless").waitFor();
    await workbench.waitForTerminal("rate is 1", startMs);
    await workbench.pictures("save-1-on");
  });

  test("saving an imported module replaces the run", async () => {
    const [first] = await drivers();
    await workbench.openFile("rate.py");
    await workbench.editor.goTo("rate");
    await workbench.page.keyboard.press("Control+A");
    await workbench.page.keyboard.type("rate = 2\n");
    await workbench.page.keyboard.press("Control+S");
    await workbench.waitForTerminal("rate is 2", startMs);
    const now = await drivers();
    assert.equal(now.length, 1);
    assert.notEqual(now[0], first);
    await workbench.pictures("save-2-replaced");
  });

  test("saving a file that is not sent changes nothing", async () => {
    const before = await drivers();
    await workbench.openFile("notes.md");
    await workbench.page.keyboard.type("x");
    await workbench.page.keyboard.press("Control+S");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    assert.deepEqual(await drivers(), before);
  });

  test("a click on the mark switches it off, and the run continues", async () => {
    const before = await drivers();
    await workbench.statusBarItem("Run on Save: endless").click();
    await workbench.statusBarItem("Run on Save").waitFor({ state: "hidden" });
    await workbench.openFile("rate.py");
    await workbench.page.keyboard.press("Control+End");
    await workbench.page.keyboard.type("# seen\n");
    await workbench.page.keyboard.press("Control+S");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    assert.deepEqual(await drivers(), before);
  });

  test("recent runs are listed with their outcomes and compared", async () => {
    await workbench.command("Spark: Recent Runs…");
    const labels = await eventually(
      "two runs",
      () => workbench.quickInput.labels(),
      (all) => all.length === 2,
    );
    assert.match(labels[1] ?? "", /stopped/);
    await workbench.picture("save-3-recent");
    for (let index = 0; index < 2; index += 1) {
      await workbench.page.keyboard.press("ArrowDown");
      await workbench.page.keyboard.press("Space");
    }
    await workbench.page.keyboard.press("Enter");
    await workbench.tab("endless: ").waitFor();
    await workbench.pictures("save-4-compared");
  });

  test("the key repeats the last run from anywhere", async () => {
    const before = await drivers();
    await workbench.quickInput.cancel();
    await workbench.openFile("notes.md");
    await workbench.page.keyboard.press("Control+K");
    await workbench.page.keyboard.press("Control+Shift+R");
    await eventually("another driver", drivers, (all) => all.length > before.length, startMs);
  });
});
