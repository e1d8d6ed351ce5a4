// Submits a spark-submit command, pasted from a wiki, by keyboard and without retyping any part of it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";

const wiki = `$ spark-submit \\
    --master k8s://https://127.0.0.1:1 \\
    --name orders \\
    --conf spark.kubernetes.container.image=spark:4.3.0 \\
    --conf spark.kubernetes.namespace=etl \\
    --conf spark.hadoop.some.password=hunter2 \\
    --executor-memory "2g" \\
    local:///jobs/orders.py --date \${DATE:-2026-01-01}
`;

const otherKubeconfig = `KUBECONFIG=/nowhere/kubeconfig spark-submit --deploy-mode cluster \\
  --master k8s://https://127.0.0.1:1 --conf spark.kubernetes.container.image=spark:4.3.0 \\
  local:///jobs/orders.py
`;

const blocked = "spark-submit --master k8s://h local:///a.jar $(date +%F)\n";

describe("a pasted command", { timeout: 300_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    host = await VscodeHost.start({ version: "newest" });
    folder = await host.makeWorkspace({
      "run.sh": wiki,
      "blocked.sh": blocked,
      "kubeconfig.sh": otherKubeconfig,
      "version.sh": "spark-submit --version\n",
      "help.sh": "spark-submit --help\n",
    });
    workbench = await host.open(folder);
  });
  after(async () => {
    await host.stop();
  });

  const paste = async (file: string): Promise<void> => {
    await workbench.openFile(file);
    await workbench.editor.root.locator(".view-line").first().click();
    await workbench.page.keyboard.press("Control+A");
    await workbench.command("Spark: Submit Pasted Command…");
  };
  const inThemes = async (name: string, show: () => Promise<void>): Promise<void> => {
    await workbench.inThemes(async (theme) => {
      await show();
      await workbench.picture(`${name}-${theme}`);
      await workbench.quickInput.cancel();
    });
  };

  test("cluster mode and a variable's default take one key each", async () => {
    await paste("run.sh");
    await workbench.quickInput.row("Submit in Cluster Mode").waitFor();
    await workbench.quickInput.accept();
    await workbench.quickInput.waitFor("Value of $DATE");
    await workbench.picture("pasted-2-variable");
    await workbench.quickInput.accept();
    await workbench.quickInput.waitFor('Submit "orders" as Spark 4.3.0');
    await workbench.picture("pasted-3-action");
    await workbench.quickInput.choose("Preview");
    await workbench.tab("preview.yaml").waitFor();
    await workbench.notification('"orders" has not been submitted yet.').waitFor();
    await workbench.picture("pasted-4-preview");
    const text = await workbench.editor.root.innerText();
    assert.ok(!text.includes("hunter2"));
    await workbench.dismissNotifications();
    await inThemes("pasted-1-mode", async () => {
      await paste("run.sh");
      await workbench.quickInput.row("Submit in Cluster Mode").waitFor();
    });
  });

  test("an expression that only a shell can evaluate is refused with the reason and what to do", async () => {
    await inThemes("pasted-5-blocked", async () => {
      await paste("blocked.sh");
      await workbench.quickInput.row("Edit Command").waitFor();
    });
    await paste("blocked.sh");
    await workbench.quickInput.row("Edit Command").waitFor();
    await workbench.quickInput.accept();
    await workbench.tab("Untitled-1").waitFor();
  });

  test("a kubeconfig that it names is used only after a question", async () => {
    await paste("kubeconfig.sh");
    await workbench.quickInput.row("The command specifies a kubeconfig.").waitFor();
    await workbench.quickInput.choose("Continue");
    const question = "Use the kubeconfig of the command?";
    await workbench.dialog(question).waitFor();
    await workbench.picture("pasted-8-kubeconfig");
    await workbench.answerDialog(question, "Use My Kubeconfig");
    await workbench.quickInput.waitFor('Submit "orders.py" as Spark 4.3.0');
    await workbench.quickInput.cancel();
  });

  test("it is saved as a run profile that asks for the variable and contains no secret", async () => {
    await paste("run.sh");
    await workbench.quickInput.row("Submit in Cluster Mode").waitFor();
    await workbench.quickInput.accept();
    await workbench.quickInput.waitFor("Value of $DATE");
    await workbench.quickInput.accept();
    await workbench.quickInput.waitFor('Submit "orders" as Spark 4.3.0');
    await workbench.quickInput.choose("Save as Run Profile…");
    await workbench.quickInput.waitFor("Save as Run Profile");
    await workbench.quickInput.accept();
    const file = join(folder, ".vscode/tasks.json");
    const written = await eventually(
      "the profile",
      () => readFile(file, "utf8").catch(() => ""),
      (text) => text.includes("hadoop.some.password") && text.includes('"inputs"'),
    );
    assert.ok(!written.includes("hunter2"));
    assert.match(await readFile(file, "utf8"), /\$\{input:DATE\}/);
    await workbench.picture("pasted-6-profile");
    await workbench.dismissNotifications();
  });

  test("version and help are printed without a cluster", async () => {
    await paste("version.sh");
    await workbench.waitForTerminal("Compatible with spark-submit of Spark 4.3");
    await paste("help.sh");
    await workbench.waitForTerminal("--deploy-mode <mode>");
    await workbench.picture("pasted-7-help");
  });
});
