// Run profiles without a cluster: findings in tasks.json, rows in the view, and the error if a profile cannot be
// submitted.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";

const tasks = {
  version: "2.0.0",
  tasks: [
    { type: "shell", label: "broken build", command: "exit 3" },
    {
      type: "spark",
      label: "orders",
      application: "local:///opt/${unknown}.py",
      image: "spark:4.3.0",
      serviceAcount: "spark",
      follow: "driver",
    },
    {
      type: "spark",
      label: "built",
      application: "local:///opt/built.py",
      image: "spark:4.3.0",
      dependsOn: "broken build",
    },
  ],
};

describe("run profiles in their file", { timeout: 300_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;

  before(async () => {
    host = await VscodeHost.start({ version: "newest" });
    const files = { ".vscode/tasks.json": JSON.stringify(tasks, undefined, 2) };
    workbench = await host.open(await host.makeWorkspace(files));
    await workbench.openContainer("Spark");
  });
  after(() => host.stop());

  test("the view lists them as not run", async () => {
    const rows = async () =>
      (await workbench.tree("Run Profiles").rows()).map(({ label }) => label);
    await eventually("both profiles", rows, (labels) => labels.length === 2);
    assert.deepEqual([...(await rows())].sort(), ["built", "orders"]);
  });

  test("Enter on a profile opens its definition", async () => {
    await workbench.command("Spark: Focus on Run Profiles View");
    await workbench.page.keyboard.press("Home");
    await workbench.page.keyboard.press("Enter");
    await workbench.tab("tasks.json").waitFor();
  });

  test("a typed path leads to another application", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.waitFor("Select a run profile");
    await workbench.quickInput.type("local:///opt/other.py");
    await workbench.quickInput.row("Another Application…").waitFor();
    await workbench.quickInput.cancel();
  });

  test("a misspelled member is underlined in tasks.json, with lenses above the profile", async () => {
    await workbench.editor.root.getByText("Preview", { exact: true }).first().waitFor();
    const problems = await workbench.problems();
    await problems.filter({ hasText: "serviceAccount" }).first().waitFor();
    await workbench.pictures("profiles-file");
  });

  test("a failed build prevents the submission", async () => {
    await workbench.tree("Run Profiles").row("built").inlineAction("Submit Profile");
    await workbench.waitForTerminal("exit code: 3");
    await workbench.picture("profiles-build-failed");
    await workbench
      .tree("Run Profiles")
      .row("built")
      .describes(/^not run yet$/);
  });

  test("the misspelled member is fixed by a keyboard quick fix", async () => {
    await workbench.editor.goTo("serviceAcount");
    await workbench.page.keyboard.press("Home");
    assert.deepEqual(await workbench.editor.quickFixes(), [
      'Replace with "serviceAccount"',
      'Remove "serviceAcount"',
    ]);
    await workbench.editor.quickFix('Replace with "serviceAccount"');
    await workbench.editor.waitForText('"serviceAccount": "spark"');
    await workbench.editor.squiggles("error").first().waitFor({ state: "hidden" });
  });

  test("a profile runs as it is in the editor, saved or not", async () => {
    const { keyboard } = workbench.page;
    const submit = workbench.editor.root.getByText("Submit", { exact: true }).first();
    for (const key of ["Control+S", "Shift"]) {
      await workbench.editor.goTo('"follow"');
      await keyboard.press("ArrowLeft");
      await keyboard.type("s");
      await keyboard.press(key);
      await submit.click();
      await workbench.waitForTerminal(key === "Shift" ? 'not "driverss"' : 'not "drivers"');
    }
  });
});
