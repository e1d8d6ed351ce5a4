// `npm run demo` opens VS Code with this extension on the example workspace, and starts a sandbox cluster that runs the
// example program pi. Without Java, the cluster simulates the run. The demo uses the desktop build of VS Code if
// installed, otherwise a build from the npm registry in a browser. `--tour` runs all steps headless, with a screenshot
// of each. `--check` starts the browser version, checks its page, and stops. `--simulate` always simulates the run.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { copyExample } from "./demo/copyExample.ts";
import { hasDesktop, openDesktop } from "./demo/desktop.ts";
import { prepareSpark, type PreparedSpark } from "./demo/prepareSpark.ts";
import { startFilled } from "./demo/startFilled.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const has = (option: string): boolean => process.argv.includes(option);
const begun = performance.now();
const say = (line: string): void => {
  console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}`);
};

/** User settings of the demo's own VS Code profile. */
const settings = {
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "security.workspace.trust.enabled": false,
  "sparkK8s.context": "spark-sandbox",
  "telemetry.telemetryLevel": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "readme",
};

// Ctrl+C also interrupts all child processes. Ignore it here and wait until they exit, so that `finally` below runs.
process.on("SIGINT", () => undefined);
const prepared = await prepareSpark(has("--simulate"), say);
process.exitCode = has("--tour") ? await tour(prepared) : await show(prepared);

/** Runs all steps of the tour. Returns the exit code. */
function tour({ environment, version, isReal }: PreparedSpark): Promise<number> {
  const parameters = [join(root, "test/host/tour.ts"), isReal ? "real" : "simulated", version];
  return run(process.execPath, parameters, environment);
}

async function show({ environment, version, isReal }: PreparedSpark): Promise<number> {
  // Put the workspace outside the project, because .gitignore would hide it from Find in Files.
  const workspace = join(tmpdir(), `spark-example-${userInfo().username}`);
  await copyExample(join(root, "media/example"), workspace, version);
  const isDesktop = !has("--check") && hasDesktop();
  const data = await mkdtemp(join(tmpdir(), "spark-k8s-demo-"));
  const user = isDesktop ? join(data, "User") : join(data, "data/User");
  await mkdir(user, { recursive: true });
  await writeFile(join(user, "settings.json"), JSON.stringify(settings));
  const storage = join(user, "globalStorage/spark-k8s.spark-k8s");
  const sandbox = await startFilled({ root, storage, environment, version, isReal }, say);
  try {
    if (isDesktop) {
      say(`Opening VS Code on ${workspace}; open Spark in its activity bar`);
      return await openDesktop({ root, data, workspace, environment });
    }
    const parameters = [join(root, "test/host/serve.ts"), workspace, data];
    return await run(
      process.execPath,
      has("--check") ? [...parameters, "--check"] : parameters,
      environment,
    );
  } finally {
    await sandbox.stop();
    await rm(data, { recursive: true, force: true });
    say("The sandbox cluster stopped");
  }
}

function run(
  command: string,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: "inherit", env });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      resolve(code ?? (signal === "SIGINT" ? 0 : 1));
    });
  });
}
