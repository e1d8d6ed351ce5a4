// Run profiles in a real VS Code on a real cluster: previewed, run, run again, and failing with the driver's
// own exit code.
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
const namespace = `spark-k8s-profile-${process.pid}`;
const startMs = 120_000;

const profile = (label: string, args: readonly string[], follow: string) => ({
  type: "spark",
  label,
  name: label,
  application: "local:///opt/spark/examples/jars/sparkdev-examples.jar",
  class: "SparkdevExamples",
  args,
  image,
  namespace,
  serviceAccount: "spark",
  follow,
  conf: { ...smallConf, "spark.hadoop.some.password": "hunter2" },
});

// Spark does not start executors with so little memory.
const small = profile("small", ["pi", "2"], "driver");
const tooSmall = { ...small, conf: { ...small.conf, "spark.executor.memory": "100m" } };

const inputs = [{ id: "slices", type: "promptString", description: "How many slices" }];
const tasks = [
  profile("pi", ["pi", "4"], "all"),
  profile("asked", ["pi", "${input:slices}"], "driver"),
  profile("fails", ["fail"], "driver"),
  profile("sleeps", ["sleep", "600", "1"], "all"),
];

describe("run profiles", { timeout: 600_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let folder: string;
  let place: TestPlace;

  before(async () => {
    place = await openTestPlace(kubeconfig, namespace);
    ({ host, workbench, folder } = await openEditor(kubeconfig, namespace, {
      ".vscode/tasks.json": tasksJson(tasks, inputs),
      "src/SparkdevExamples.java": "// the program\n".repeat(200),
    }));
  });
  after(async () => {
    await host.stop();
    await place.close();
  });

  const labels = async (): Promise<readonly string[]> =>
    (await workbench.tree("Applications").rows())
      .filter(({ level }) => level === 1)
      .map(({ label, description }) => `${label}: ${description}`);

  test("a preview shows all that would be created, and no secret", async () => {
    await workbench.command("Spark: Preview Submission");
    await workbench.quickInput.choose("pi");
    await workbench.tab("preview.yaml").waitFor();
    await workbench.editor.root.getByText("Driver pod").first().waitFor();
    await workbench.picture("profile-1-preview");
    const text = await workbench.editor.root.innerText();
    assert.ok(!text.includes("hunter2"));
    assert.deepEqual(await labels(), []);
  });

  test("a pre-flight check names obstacles and creates nothing", async () => {
    await workbench.command("Spark: Check Before Submitting");
    await workbench.quickInput.choose("pi");
    await workbench.tab("check.txt").waitFor();
    await workbench.editor.waitForText("Dry run");
    await workbench.editor.waitForText("-driver: accepted");
    const text = (await workbench.editor.root.innerText()).replaceAll("\u00a0", " ");
    assert.match(text, /^Pre-flight check: pi$/m);
    await workbench.picture("profile-4-check");
    assert.deepEqual(await labels(), []);
  });

  test("an input that was answered for a check is not asked again by the submission", async () => {
    await workbench.command("Spark: Check Before Submitting");
    await workbench.quickInput.choose("asked");
    await workbench.quickInput.waitFor("Value of ${input:slices}");
    await workbench.quickInput.type("3");
    await workbench.quickInput.accept();
    await workbench.editor.waitForText("Dry run");
    const message = 'Checked "asked"';
    await workbench.notification(message).waitFor();
    await workbench.picture("profile-4-next");
    await workbench.answerNotification(message, "Submit");
    await workbench.waitForTerminal("Pod asked-", startMs);
    const pods = await place.connection.objects.list(
      { apiVersion: "v1", kind: "Pod" },
      namespace,
      "spark-role=driver",
      AbortSignal.timeout(10_000),
    );
    assert.ok(pods.ok);
    assert.match(JSON.stringify(pods.value.map(({ body }) => body)), /"pi","3"/);
    await workbench.command("Terminal: Kill All Terminals");
  });

  test("a profile runs from the palette with the logs of driver and executor", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.choose("pi");
    await workbench.waitForTerminal("executor 1 ", startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
    await workbench.picture("profile-2-all-logs");
    await eventually("its success", labels, (rows) =>
      rows.some((row) => row.startsWith("pi: succeeded")),
    );
  });

  test("Run Last Again runs it once more without a question, and again beside a run", async () => {
    await workbench.command("Spark: Run Last Again");
    await eventually("two runs", labels, (rows) => rows.length === 2, startMs);
    await workbench.command("Spark: Run Last Again");
    await eventually("three runs", labels, (rows) => rows.length === 3, startMs);
    await workbench.waitForTerminal("driver: succeeded", startMs);
  });

  test("a run that fails ends with the exit code of its driver", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.choose("fails");
    await workbench.waitForTerminal("asked to fail", startMs);
    await workbench.waitForTerminal("driver: failed: exit code 1", startMs);
    await workbench.picture("profile-3-failed");
  });

  test("the log of an ended run opens as a document from its terminal", async () => {
    await workbench.waitForTerminal("Open all lines as a document");
    const link = workbench.page
      .locator(".terminal-wrapper.active .xterm-rows span")
      .getByText("Open all lines as a document");
    const box = await link.boundingBox();
    assert.ok(box);
    // The terminal handles mouse events in a layer above its rows, so click at coordinates.
    const { mouse, keyboard } = workbench.page;
    await mouse.move(box.x + 10, box.y - 5);
    await mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
    await workbench.page.getByText("Open all lines as a document (ctrl + click)").waitFor();
    await keyboard.down("Control");
    await mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await keyboard.up("Control");
    // The first line of the log, where the document opens.
    await workbench.editor.waitForText("incubator modules");
    await workbench.picture("profile-4-document");
  });

  test("the trace of a run that failed is a problem at the program's own line, which leads to the log", async () => {
    const problems = await workbench.problems();
    await problems.filter({ hasText: "asked to fail" }).first().waitFor();
    await workbench.picture("profile-5-problems");
    await workbench.page
      .locator(".markers-panel")
      .getByText("in the log of driver")
      .first()
      .dblclick();
    await workbench.tab("driver.log").waitFor();
    await workbench.editor.waitForText("asked to fail");
    await workbench.picture("profile-5-problem-link");
  });

  test("the terminal of a run has the keys of a followed log", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.choose("sleeps");
    await workbench.waitForTerminal("executor 1 connected", startMs);
    await workbench.waitForTerminal("p pause");
    await workbench.waitForTerminal("INFO TaskSetManager", startMs);
    await workbench.pressInTerminal("l");
    await workbench.pressInTerminal("l");
    await eventually(
      "warnings alone",
      () => workbench.terminalText(),
      (text) => /Filter: minimum level: warn.*hidden: [1-9]/.test(text) && !text.includes(" INFO "),
    );
    assert.match(await workbench.terminalText(), /submitting to namespace/);
    await workbench.picture("profile-6-keys");
    await workbench.pressInTerminal("c");
    await workbench.waitForTerminal("INFO TaskSetManager");
    await workbench.picture("profile-6-labels");
  });

  test("a stopped run says once that its driver was deleted, and nothing of a lost connection", async () => {
    await workbench.tree("Applications").row("sleeps").inlineAction("Stop Application…");
    await workbench.answerDialog('Stop "sleeps"?', "Stop Application");
    await workbench.waitForTerminal("Open all lines as a document", startMs);
    await workbench.picture("profile-7-stopped");
    const text = await workbench.terminalText();
    assert.doesNotMatch(text, /connection lost|could not be read/i);
    assert.equal(text.match(/driver: stopped/g)?.length, 1);
  });

  test("a profile with a running application says so after a reload, and how it ended", async () => {
    await workbench.command("Spark: Submit Application…");
    await workbench.quickInput.choose("sleeps");
    const isShown = (state: RegExp) =>
      eventually(
        `${String(state)} in the row of the profile`,
        () => workbench.tree("Run Profiles").rows(),
        (rows) => rows.some((row) => row.label === "sleeps" && state.test(row.description)),
        startMs,
      );
    await isShown(/^running ·/);
    await workbench.reload();
    await isShown(/^running ·/);
    await workbench.picture("profile-8-reloaded");
    await workbench.tree("Applications").row("sleeps").inlineAction("Stop Application…");
    await workbench.answerDialog('Stop "sleeps"?', "Stop Application");
    await isShown(/^stopped ·/);
  });

  test("Apply Fix edits the profile of a failed run, and offers to save and run it", async () => {
    await writeFile(join(folder, ".vscode/tasks.json"), tasksJson([tooSmall]));
    const row = workbench.tree("Applications").row("small");
    await workbench.tree("Run Profiles").row("small").inlineAction("Submit Profile");
    await workbench.waitForTerminal("terminated with exit code: 1", startMs);
    await row.describes(/executor memory below Spark's minimum/);
    await row.contextMenu("Explain Failure");
    await workbench.tab("small failure.txt").waitFor();
    await row.closeTooltip();
    await workbench.pictures("profile-9-failure");
    await workbench.editor.root.getByText("Apply Fix", { exact: true }).first().click();
    await workbench.tab("tasks.json").waitFor();
    await workbench.editor.waitForText('"spark.executor.memory": "512m"');
    await workbench.picture("profile-9-fixed");
    await workbench.answerNotification(
      'The fix was applied to the run profile "small"',
      "Save and Run",
    );
    await workbench.waitForTerminal("driver: succeeded", startMs);
  });
});
