// The first minute of a user without a cluster and without Java: starts the sandbox, creates the example, runs it,
// looks at its rows, and stops the sandbox.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.ts";
import {
  createExample,
  editAndRun,
  mendConf,
  openConf,
  simulateOutOfMemory,
  runPi,
  startSandbox,
  stopSandbox,
  welcomeButton,
} from "../firstMinute.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Clip, Workbench } from "../workbench.ts";

/** Creates a folder of shell scripts by name, for `pathWith`; returns its path. */
async function programs(texts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-programs-"));
  for (const [name, text] of Object.entries(texts))
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return folder;
}

const pathWith = (folder: string): Readonly<Record<string, string>> => ({
  PATH: `${folder}:${process.env["PATH"] ?? ""}`,
  // Otherwise VS Code takes the PATH of a login shell, in which other folders come first.
  VSCODE_CLI: "1",
});

/** The part of the window for the walkthrough; `media/walkthrough/` contains copies of these pictures. */
const shown: Clip = { x: 0, y: 35, width: 720, height: 480 };

const inThemes = async (workbench: Workbench, name: string): Promise<void> => {
  await workbench.inThemes(async (theme) => {
    await workbench.picture(`first-minute-${name}-${theme}`);
    await workbench.picture(`walkthrough-${name}-${theme}`, shown);
  });
};

describe("the first minute without a cluster and without Java", { timeout: 300_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let none: string;

  before(async () => {
    none = await programs({ java: "exit 1", python3: "exit 1" });
    host = await VscodeHost.start({ version: "newest", env: pathWith(none) });
    workbench = await host.open(await host.makeWorkspace({ "notes.txt": "" }));
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    await rm(none, { recursive: true });
  });

  test("offers the sandbox, which says that it simulates applications", async () => {
    await welcomeButton(workbench, "Start Sandbox Cluster").waitFor();
    await inThemes(workbench, "nothing");
    await workbench.command("Welcome: Open Walkthrough...");
    await workbench.quickInput.choose("Get Started With Spark on Kubernetes");
    const steps = workbench.page.locator(".gettingStartedContainer .getting-started-step");
    await steps.filter({ hasText: "Find and fix a failure" }).waitFor();
    assert.equal(await steps.count(), 6);
    await startSandbox(workbench);
    // The walkthrough marks completed steps with a check mark.
    const ticked = steps.first().locator(".codicon-getting-started-step-checked");
    await ticked.first().waitFor();
    await workbench.pictures("first-minute-walkthrough");
    await workbench.command("View: Close All Editors");
    await workbench.notification("Java was not found on this machine").waitFor();
    await inThemes(workbench, "cluster");
    await workbench.dismissNotifications();
  });

  test("an example workspace is created where the user chooses, and its window finds the sandbox", async () => {
    const folder = await createExample(workbench, host);
    const names = [".vscode", "README.md", "conf", "jobs", "spark-application.yaml"];
    assert.deepEqual((await readdir(folder)).sort(), names);
    await workbench.tab("word_lengths.py").waitFor();
  });

  test("the code in the editor runs, and runs again after a change", async () => {
    await editAndRun(workbench, async () => {
      await workbench.dismissNotifications();
      await workbench.inThemes(async (theme) => {
        await workbench.picture(`walkthrough-run-${theme}`, { ...shown, x: 352, y: 260 });
      });
    });
    await workbench.command("File: Save");
  });

  test("its conf has a misspelled key, which a fix corrects", async () => {
    await openConf(workbench);
    await inThemes(workbench, "conf");
    await mendConf(workbench);
    await workbench.editor.squiggles("warning").first().waitFor({ state: "hidden" });
  });

  test("shows the driver and executors of a run profile as simulated", async () => {
    await runPi(workbench);
    await workbench.waitForTerminal("This application is simulated");
    const tree = workbench.tree("Applications");
    for (const row of ["driver", "executor 1", "executor 2"])
      await tree.row(row).describes(/\bsimulated\b/);
    await inThemes(workbench, "watch");
    await workbench.inThemes(async (theme) => {
      await workbench.picture(`walkthrough-submit-${theme}`, { ...shown, x: 300, y: 300 });
    });
    await workbench.waitForTerminal("Job 0 finished");
  });

  test("a second window connects, and both show the same rows", async () => {
    const second = await host.open(await host.makeWorkspace({ "notes.txt": "" }));
    await second.openContainer("Spark");
    const tree = second.tree("Applications");
    await tree.row(/^pi/).waitFor();
    await second.page.close();
  });

  test("simulates a failure, and the row says why", async () => {
    await simulateOutOfMemory(workbench);
    await inThemes(workbench, "fix");
  });

  test("stopping the sandbox ends everything, and the view offers it again", async () => {
    await stopSandbox(workbench);
    await welcomeButton(workbench, "Start Sandbox Cluster").waitFor();
    const folder = join(host.folder, "data/User/globalStorage/spark-k8s.spark-k8s/sandbox");
    const left = (): Promise<readonly string[]> => readdir(folder);
    await eventually("an empty folder", left, (names) => names.every((name) => name === "log"));
  });
});

describe("Spark that is not installed yet", { timeout: 300_000 }, () => {
  let host: VscodeHost;
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-java-"));
    const tools = await programs({
      java: `echo "    java.home = ${folder}"`,
      // Replaces Python and pip, as the package index may be slow. Has only what the test needs.
      python3: `case "$*" in
*sys.executable*) echo "$0" ;;
*version_info*) echo 11 ;;
*find_spec*) echo "" ;;
*"pip install"*) echo "Collecting pyspark==4.3.0"; echo "  Downloading pyspark-4.3.0.tar.gz (2.0 MB)"
  head -c 1000000 /dev/zero > "$TMPDIR/part"; echo $$ > "${folder}/pip"; exec sleep 600 ;;
esac`,
    });
    await mkdir(join(folder, "bin"));
    host = await VscodeHost.start({ version: "newest", env: pathWith(tools) });
    workbench = await host.open(await host.makeWorkspace({ "notes.txt": "" }));
    await workbench.openContainer("Spark");
  });
  after(async () => {
    await host.stop();
    await rm(folder, { recursive: true });
  });

  test("is downloaded on request, with progress and Cancel", async () => {
    await workbench.command("Spark: Start Sandbox Cluster");
    const question = "No Spark for the sandbox cluster was found";
    await workbench.dialog(question).waitFor();
    await workbench.picture("sandbox-download-question");
    await workbench.answerDialog(question, "Download Spark 4.3.0");
    const progress = workbench.notification("Downloading Spark 4.3.0");
    await progress.getByText("pyspark-4.3.0.tar.gz").waitFor();
    await workbench.picture("sandbox-download-progress");
    await progress.getByRole("button", { name: "Cancel" }).click();
    await progress.waitFor({ state: "hidden" });
    const downloads = join(host.folder, "data/User/globalStorage/spark-k8s.spark-k8s/spark");
    const left = (): Promise<readonly string[]> => readdir(downloads);
    await eventually("nothing of it", left, (names) => names.length === 0);
  });

  test("is not needed for a simulation, which needs no notice", async () => {
    await workbench.command("Spark: Simulate Application…");
    await workbench.quickInput.choose("Success");
    await workbench.tree("Applications").row("executor 1").waitFor();
    assert.equal(await workbench.notification("simulates applications").count(), 0);
    await workbench.command("Spark: Stop Sandbox Cluster");
  });
});
