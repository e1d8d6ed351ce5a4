// Conf help across files: the Spark version, Go to Definition of an overriding property, code lenses, a rule's page,
// outline, folding and renaming.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";

const files = {
  "orders.spark.conf": `# How much
# each executor gets
spark.executor.memory  2g
spark.executor.cores   2
`,
  "run.sh": `spark-submit --master k8s://https://127.0.0.1:6443 --deploy-mode cluster \\
  --properties-file orders.spark.conf \\
  --conf spark.executor.memory=4g \\
  --conf spark.kubernetes.container.image=spark:4.3.0 \\
  --conf spark.kubernetes.driver.label.spark-role=main \\
  local:///app/orders.py
`,
  "orders.py": 'spark = SparkSession.builder.config("spark.executor.memory", "4g").getOrCreate()\n',
  "requirements.txt": "pyspark==3.5.3\n",
};

describe("from setting to setting", { timeout: 300_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;

  before(async () => {
    host = await VscodeHost.start({ version: "newest" });
    workbench = await host.open(await host.makeWorkspace(files));
  });
  after(() => host.stop());

  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);
  const goToKey = async (file: string, key: string): Promise<void> => {
    await workbench.openFile(file);
    await workbench.editor.goTo(key);
    await press("Home");
  };

  test("the language status shows the Spark version and its source", async () => {
    await workbench.openFile("orders.spark.conf");
    const status = workbench.page.locator("#status\\.languageStatus");
    await status.waitFor();
    await status.hover();
    await workbench.page.getByText("from requirements.txt").first().waitFor();
    await workbench.page.getByText("Spark 3.5").first().waitFor();
    await workbench.picture("conf-places-status");
    await press("Escape");
  });

  test("Go to Definition opens the setting that overrides it in another file", async () => {
    await goToKey("orders.spark.conf", "spark.executor.memory");
    await press("F12");
    await workbench.tab("run.sh").first().waitFor();
    await workbench.editor.waitForText("--properties-file");
  });

  test("complete commands have lenses", async () => {
    await workbench.openFile("run.sh");
    const lenses = workbench.editor.root.locator(".codelens-decoration a");
    await eventually(
      "the lenses",
      () => lenses.allInnerTexts(),
      (titles) => titles.includes("Submit") && titles.includes("Effective conf"),
    );
    await workbench.pictures("conf-places-lenses");
  });

  test("a rule's page opens in the editor", async () => {
    await workbench.openFile("run.sh");
    await workbench.editor.squiggles("error").first().waitFor();
    const words = await workbench.editor.hoverOver("spark-role");
    assert.match(words, /R008-reserved-driver-label/);
    await workbench.picture("conf-places-rule-hover");
    await workbench.page.locator(".monaco-hover a", { hasText: "R008" }).first().click();
    await workbench.editor.waitForText("Spark sets the labels");
    await workbench.tab("R008-reserved-driver-label.txt").waitFor();
    assert.doesNotMatch(await workbench.editor.text(), /`/);
    await workbench.pictures("conf-places-rule-page");
  });

  test("a conf file has an outline, and its comments fold", async () => {
    await workbench.openFile("orders.spark.conf");
    await press("Control+Shift+O");
    assert.deepEqual(
      await eventually(
        "the settings",
        async () => (await workbench.quickInput.labels()).map((label) => label.trim()),
        (labels) => labels.length >= 2,
      ),
      ["spark.executor.memory", "spark.executor.cores"],
    );
    await workbench.picture("conf-places-outline");
    await workbench.quickInput.cancel();
    await workbench.command("Fold All Block Comments");
    await workbench.editor.textThat((text) => !text.includes("each executor gets"));
    await workbench.picture("conf-places-folded");
    await workbench.command("Unfold All");
  });

  test("a key is renamed on every surface at once", async () => {
    await goToKey("orders.spark.conf", "spark.executor.memory");
    await press("F2");
    const box = workbench.page.locator(".rename-box input").first();
    await box.waitFor();
    await workbench.picture("conf-places-rename");
    await box.fill("spark.driver.memory");
    await box.press("Enter");
    for (const file of ["orders.spark.conf", "run.sh", "orders.py"]) {
      await workbench.openFile(file);
      await workbench.editor.waitForText("spark.driver.memory");
    }
  });
});
