// A workspace that submits automatically: nothing reaches a cluster before the user agrees. The
// cluster is a small server that records each request.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import { VscodeHost, type Size } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";
import { startLittleCluster, statusOf, type LittleCluster } from "./littleCluster.ts";

const manifest = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: totals }
spec:
  type: Python
  sparkVersion: 4.3.0
  mainApplicationFile: local:///jobs/totals.py
  image: spark:4.3.0
  driver: { cores: 1 }
  executor: { instances: 1 }
`;

const runOptions = { runOn: "folderOpen" };
const program = { type: "spark", application: "local:///jobs/a.py", image: "spark:4.3.0" };

const openedTasks = [
  { ...program, name: "named", runOptions },
  { type: "spark", label: "operated", application: "${workspaceFolder}/totals.yaml", runOptions },
  { ...program, application: "local:///jobs/unnamed.py", runOptions },
  { ...program, label: "by identifier", identifier: "late" },
  { type: "shell", label: "first", command: "true", dependsOn: ["late"], runOptions },
];

/** A window size in pixels that shows the whole preview at once. */
const tall = { width: 1280, height: 5000 };

const inputs = [
  { id: "run", type: "command", command: "workbench.action.files.newUntitledFile" },
  { id: "word", type: "promptString", description: "a secret", password: true },
];

describe("tasks that start without a command of the extension", { timeout: 300_000 }, () => {
  let cluster: LittleCluster;
  let host: VscodeHost;
  const asked: string[] = [];

  before(async () => {
    cluster = await startLittleCluster(({ method, path }, told) => {
      asked.push(`${method} ${path}`);
      told.json(403, statusOf(403, "Forbidden", 'User "ada" cannot create resource "pods"'));
    });
    host = await VscodeHost.start({
      version: "newest",
      env: { KUBECONFIG: cluster.kubeconfig },
      settings: { "task.allowAutomaticTasks": "on" },
    });
  });
  after(async () => {
    await host.stop();
    await cluster.stop();
  });

  const open = async (
    tasks: readonly object[],
    { size, inputs: own = inputs }: { size?: Size; inputs?: readonly object[] } = {},
  ): Promise<Workbench> =>
    host.open(
      await host.makeWorkspace({
        "totals.yaml": manifest,
        ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks, inputs: own }),
      }),
      size,
    );

  const question = "Allow a task to submit";

  test("send nothing before the user agrees, however tasks.json names them", async () => {
    asked.length = 0;
    const workbench = await open(openedTasks);
    const waiting = ["unnamed.py", "totals.yaml", "by identifier", "named"];
    const seen: string[] = [];
    for (let at = 0; at < waiting.length; at += 1) {
      await workbench.dialog(question).waitFor();
      if (at === 0) await workbench.picture("automatic-start");
      const text = await workbench.dialog(question).innerText();
      seen.push(
        ...waiting.filter((name) => text.includes(name) && !seen.includes(name)).slice(0, 1),
      );
      // Not `answerDialog`: the next dialog has the same text, so this one is never seen as hidden.
      await workbench.dialog(question).getByRole("button", { name: "Cancel", exact: true }).click();
      await eventually(
        "another question or none",
        async () => {
          const box = workbench.dialog(question);
          return (await box.count()) === 0 ? "" : box.innerText();
        },
        (now) => now !== text,
      );
    }
    assert.deepEqual(seen.toSorted(), waiting.toSorted());
    assert.deepEqual(asked, []);
    await workbench.page.close();
  });

  test("ask when a task of the workspace calls a command of the extension", async () => {
    asked.length = 0;
    const call = { kind: "profile", name: "victim" };
    const workbench = await open(
      [
        { ...program, label: "victim" },
        { type: "shell", label: "harmless", command: "echo ${input:go}", runOptions },
      ],
      { inputs: [{ id: "go", type: "command", command: "sparkK8s.profile.run", args: call }] },
    );
    await workbench.dialog(question).waitFor();
    await workbench.answerDialog(question, "Cancel");
    assert.deepEqual(
      asked.filter((line) => !line.startsWith("GET ")),
      [],
    );
    await workbench.page.close();
  });

  test("send once the user agrees, and ask once in a window", async () => {
    asked.length = 0;
    const workbench = await open([{ ...program, label: "orders", runOptions }]);
    await workbench.answerDialog(question, "Submit");
    await workbench.waitForTerminal("kubectl auth can-i create pods");
    assert.ok(asked.length > 0);
    await workbench.command("Tasks: Rerun Last Task");
    const before = asked.length;
    await eventually(
      "the second run",
      () => Promise.resolve(asked.length),
      (count) => count > before,
    );
    await workbench.page.close();
  });

  test("a preview runs no command that a profile names", async () => {
    const workbench = await open(
      [
        {
          ...program,
          label: "commands",
          args: [
            "${command:workbench.action.files.newUntitledFile}",
            "${input:run}",
            "${input:word}",
          ],
        },
      ],
      { size: tall },
    );
    await workbench.openContainer("Spark");
    await workbench.tree("Run Profiles").row("commands").inlineAction("Preview Profile");
    await workbench.tab("preview.yaml").waitFor();
    await workbench.editor.waitForText("${command:workbench.action.files.newUntitledFile}");
    const text = await workbench.editor.text();
    assert.match(text, /\$\{input:run\}/);
    assert.doesNotMatch(text, /hidden-input/);
    assert.deepEqual(await workbench.tabTitles(), ["preview"]);
    await workbench.page.close();
  });

  test("ask for a start by the editor, and not for one by a command of the extension", async () => {
    asked.length = 0;
    const workbench = await open([{ ...program, label: "orders" }]);
    await workbench.openContainer("Spark");
    await workbench.tree("Run Profiles").row("orders").inlineAction("Submit Profile");
    await workbench.waitForTerminal("kubectl auth can-i create pods");
    assert.ok(asked.some((line) => line.startsWith("POST ")));
    await workbench.command("Tasks: Rerun Last Task");
    await workbench.dialog(question).waitFor();
    await workbench.answerDialog(question, "Cancel");
    await workbench.page.close();
  });
});
