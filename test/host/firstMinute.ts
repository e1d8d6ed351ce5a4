// The steps of a user's first minute with the extension, shared by the tests and the tour.
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import type { VscodeHost } from "./vscodeHost.ts";
import type { Workbench } from "./workbench.ts";

/** The maximum time in which two JVMs and Python start on a busy machine. */
const startMs = 120_000;

export const welcomeButton = (workbench: Workbench, name: string) =>
  workbench.welcome().getByRole("button", { name }).first();

/** Starts the sandbox from the welcome view of a window without a cluster, and waits until it runs. */
export async function startSandbox(workbench: Workbench): Promise<void> {
  await welcomeButton(workbench, "Start Sandbox Cluster").click();
  await workbench.statusBarItem("spark-sandbox/default").waitFor();
  await workbench.welcome().getByText("The sandbox cluster is running").waitFor();
}

/** Creates the example in the home folder of the host. Returns the example's folder, which the window then opens. */
export async function createExample(workbench: Workbench, host: VscodeHost): Promise<string> {
  const home = join(host.folder, "home");
  await welcomeButton(workbench, "Create Example Workspace").click();
  await workbench.quickInput.waitFor("Create the folder");
  // The dialog starts in the home folder, and ignores input until it has read that folder.
  await eventually(
    "the home",
    () => workbench.quickInput.value(),
    (path) => path === `${home}/`,
  );
  await workbench.quickInput.row("..").waitFor();
  await workbench.page.getByRole("button", { name: "Create Here" }).click();
  await workbench.page.waitForURL(/spark-example/, { waitUntil: "commit" });
  await workbench.page.locator(".monaco-workbench .statusbar-item").first().waitFor();
  await workbench.openContainer("Spark");
  // The reloaded window finds the running sandbox.
  await workbench.welcome().getByText("The sandbox cluster is running").waitFor();
  return join(home, "spark-example");
}

/** Opens the example's conf file, and waits until its misspelled key is underlined. */
export async function openConf(workbench: Workbench): Promise<void> {
  await workbench.openFile("spark-defaults.conf");
  await workbench.editor.squiggles("warning").first().waitFor();
}

export async function mendConf(workbench: Workbench): Promise<void> {
  await workbench.editor.goTo("spark.excutor.memory");
  await workbench.page.keyboard.press("Home");
  await workbench.editor.quickFix('Rename to "spark.executor.memory"');
  await workbench.editor.waitForText("spark.executor.memory");
  await workbench.page.keyboard.press("Control+S");
}

/** Runs the example's program from the editor, calls `look`, changes the program, and runs it again. */
export async function editAndRun(
  workbench: Workbench,
  look: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const hasSucceeded = (times: number): Promise<unknown> =>
    eventually(
      `${times} runs that succeeded`,
      async () => {
        const rows = await workbench.tree("Applications").rows();
        return rows.filter(({ description }) => description.startsWith("succeeded")).length;
      },
      (found) => found >= times,
      startMs,
    );
  await workbench.openFile("word_lengths.py");
  await workbench.command("Spark: Run on Cluster");
  await hasSucceeded(1);
  await look();
  await workbench.editor.goTo("rows = int");
  await workbench.page.keyboard.type("\nprint(rows)");
  await workbench.command("Spark: Run on Cluster");
  await hasSucceeded(2);
}

/** Submits the profile "pi", and waits until its driver and both executors are running. */
export async function runPi(workbench: Workbench): Promise<void> {
  await workbench.tree("Run Profiles").row("pi").inlineAction("Submit Profile");
  const tree = workbench.tree("Applications");
  for (const label of ["driver", "executor 1", "executor 2"]) {
    const says = async (): Promise<string> =>
      (await tree.rows()).find((row) => row.label === label)?.description ?? "not there";
    await eventually(label, says, (words) => words.includes("running"), startMs);
  }
}

/** Simulates an executor that runs out of memory, and waits until its row shows the cause. */
export async function simulateOutOfMemory(workbench: Workbench): Promise<void> {
  await workbench.command("Spark: Simulate Application…");
  await workbench.quickInput.waitFor("Simulate Application");
  await workbench.quickInput.choose("An executor runs out of memory");
  const tree = workbench.tree("Applications");
  await tree.row("simulation-oom").waitFor();
  const ended = tree.row("1 ended executor");
  await ended.root.waitFor({ timeout: startMs });
  await ended.expand();
  const says = async (): Promise<boolean> =>
    (await tree.rows()).some(({ description }) => /memory/.test(description));
  await eventually("why it ended", says, (isThere) => isThere);
}

export async function stopSandbox(workbench: Workbench): Promise<void> {
  await workbench.command("Spark: Stop Sandbox Cluster");
  await workbench.notification("The sandbox cluster and its pods have stopped.").waitFor();
}
