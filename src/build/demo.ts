// `npm run demo`: VS Code with this extension on the example workspace. The desktop build if there is one,
// else one from the npm registry, in a browser. `--check` starts the latter, looks at its page, and stops.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
// Not below the project: there, find-in-files would leave it out as git does.
const workspace = join(tmpdir(), `spark-example-${userInfo().username}`);
const check = process.argv.includes("--check");

const complaint = missingKubeconfig();
if (complaint !== undefined) {
  console.error(complaint);
  process.exitCode = 1;
} else {
  await mkdir(workspace, { recursive: true });
  // What was changed in an earlier demo stays.
  await cp(join(root, "media/example"), workspace, { recursive: true, force: false });
  process.exitCode = await (!check && hasDesktop() ? openDesktop() : openBrowser());
}

/** What to do when no cluster is named. */
function missingKubeconfig(): string | undefined {
  const listed = (process.env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  const files = listed.length > 0 ? listed : [join(homedir(), ".kube/config")];
  if (files.some((file) => existsSync(file))) return undefined;
  return (
    `The demo needs a Kubernetes cluster, and there is no kubeconfig at ${files.join(", ")}. ` +
    "Set KUBECONFIG to the file of a cluster, or make a small one on this machine with " +
    "`kind create cluster` or `minikube start`, which write that file."
  );
}

function hasDesktop(): boolean {
  const screen =
    process.platform !== "linux" ||
    process.env["DISPLAY"] !== undefined ||
    process.env["WAYLAND_DISPLAY"] !== undefined;
  return screen && isOnPath(process.platform === "win32" ? "code.cmd" : "code");
}

function openDesktop(): Promise<number> {
  console.log(`Opening VS Code on ${workspace}`);
  return run("code", [`--extensionDevelopmentPath=${root}`, "--new-window", workspace]);
}

function openBrowser(): Promise<number> {
  const parameters = [join(root, "test/host/serve.ts"), workspace];
  return run(process.execPath, check ? [...parameters, "--check"] : parameters);
}

function run(command: string, parameters: readonly string[]): Promise<number> {
  // Ctrl+C reaches both: it ends the child, whose end ends this.
  process.on("SIGINT", () => undefined);
  return new Promise((resolve, reject) => {
    // On Windows, `code` is a script.
    const child = spawn(command, parameters, {
      stdio: "inherit",
      shell: process.platform === "win32" && command === "code",
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      resolve(code ?? (signal === "SIGINT" ? 0 : 1));
    });
  });
}

function isOnPath(name: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
