// `npm run demo -- --tour` runs `node tour.ts real|simulated VERSION`: the first minute, step by step, without a user.
// Prints the time of each step and saves a picture under `out/host/pictures`. Exits with 0 if every step succeeds.
import { eventually } from "./eventually.ts";
import {
  createExample,
  editAndRun,
  mendConf,
  openConf,
  simulateOutOfMemory,
  runPi,
  startSandbox,
  stopSandbox,
} from "./firstMinute.ts";
import { VscodeHost } from "./vscodeHost.ts";
import type { Workbench } from "./workbench.ts";

const [kind = "simulated", version = ""] = process.argv.slice(2);
const isReal = kind === "real";
const endMs = 300_000;

const begun = performance.now();
let steps = 0;
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Runs a step, takes its picture, and prints its title and time. */
async function step(
  workbench: Workbench,
  what: string,
  picture: string,
  work: () => Promise<void>,
): Promise<void> {
  const since = performance.now();
  await work();
  steps += 1;
  const file = await workbench.picture(`tour-${steps}-${picture}`);
  console.log(`${String(steps).padStart(2)}. ${what} (${seconds(since)})\n    ${file}`);
}

// Passes on only the variables that locate Spark and Java, so that the tour runs as on a new machine.
const told = ["SPARK_HOME", "JAVA_HOME"].flatMap((name) => {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value] as const];
});
console.log(
  isReal
    ? `A tour with real Spark ${version}: driver and executors are processes of this machine.`
    : "A tour with a simulated driver and executors.",
);
// VSCODE_CLI: VS Code uses the PATH of this process, not that of a login shell.
const env = { ...Object.fromEntries(told), VSCODE_CLI: "1" };
const host = await VscodeHost.start({ version: "newest", env });
try {
  const workbench = await host.open(await host.makeWorkspace({ "notes.txt": "" }));
  const tree = workbench.tree("Applications");
  await step(workbench, "VS Code stands, with the extension and without a cluster", "nothing", () =>
    workbench
      .openContainer("Spark")
      .then(() => workbench.welcome().getByText("No kubeconfig was found").waitFor()),
  );
  await step(workbench, "Start Sandbox Cluster: a Kubernetes on this machine", "sandbox", () =>
    startSandbox(workbench),
  );
  await step(
    workbench,
    "Create Example Workspace: its window finds the sandbox again",
    "example",
    () => createExample(workbench, host).then(() => undefined),
  );
  await step(
    workbench,
    "Run on Cluster runs the file in the editor, changed and again",
    "run",
    () => editAndRun(workbench),
  );
  await step(workbench, "A misspelled key in its conf is underlined", "conf", () =>
    openConf(workbench),
  );
  await step(workbench, "Ctrl+. mends it", "mended", () => mendConf(workbench));
  await step(
    workbench,
    `The profile "pi" runs: a ${isReal ? "real" : "simulated"} driver and two executors`,
    "running",
    () => runPi(workbench),
  );
  if (isReal) {
    await step(workbench, "Kill Executor: another one comes in its place", "killed", async () => {
      await tree.row("executor 1").contextMenu("Kill Executor…");
      await workbench.page
        .locator(".monaco-dialog-box")
        .getByRole("button", { name: /^Kill/ })
        .first()
        .click();
      await tree.row("executor 3").root.waitFor({ timeout: 60_000 });
    });
  }
  await step(workbench, "The log comes to its end in the terminal", "end", () =>
    workbench.waitForTerminal(
      isReal ? "Pi is roughly 3.1" : "would have printed its result",
      endMs,
    ),
  );
  await step(
    workbench,
    "Simulate Application: an executor runs out of memory, and its row says so",
    "oom",
    () => simulateOutOfMemory(workbench),
  );
  await step(workbench, "Stop Sandbox Cluster: nothing of it stays", "stopped", async () => {
    await stopSandbox(workbench);
    await eventually(
      "a tree without rows",
      () => tree.rows(),
      (rows) => rows.length === 0,
    );
  });
  console.log(`All ${steps} steps in ${seconds(begun)}.`);
} catch (error) {
  console.error(`Step ${steps + 1} was not as it should be: ${String(error)}`);
  process.exitCode = 1;
} finally {
  await host.stop();
}
