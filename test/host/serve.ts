// Serves VS Code with the extension on a folder until Ctrl+C: `node serve.ts FOLDER [--check]`. With
// `--check`, it looks whether the page answers, and stops.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf } from "./page.ts";
import { packageExtension } from "./packageExtension.ts";
import { installVsix, startServer } from "./server.ts";
import { quietSettings } from "./vscodeHost.ts";
import { setUpHost } from "./setUp.ts";

const [workspace, option] = process.argv.slice(2);
if (workspace === undefined) throw new Error("serve.ts FOLDER [--check]");
const version = "newest";

const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    stopped.abort();
  });
}

await setUpHost(console.log);
const folder = await mkdtemp(join(tmpdir(), "spark-k8s-demo-"));
await mkdir(join(folder, "data/User"), { recursive: true });
const settings = { ...quietSettings, "workbench.startupEditor": "readme" };
await writeFile(join(folder, "data/User/settings.json"), JSON.stringify(settings));
await installVsix(version, folder, await packageExtension());
const server = await startServer({
  version,
  folder,
  port: undefined,
  trust: "off",
  development: false,
  env: Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  ),
});
try {
  const origin = `http://127.0.0.1:${server.port}`;
  const address = addressOf(origin, workspace);
  console.log(`VS Code is at ${address}`);
  if (option === "--check") await look(address);
  else {
    if (process.env["DISPLAY"] !== undefined) {
      spawn("xdg-open", [address], { stdio: "ignore", detached: true }).once(
        "error",
        () => undefined,
      );
    }
    console.log("Open it in a browser on this machine. Ctrl+C ends it.");
    if (!stopped.signal.aborted) await once(stopped.signal, "abort");
  }
} finally {
  await server.stop();
}

async function look(address: string): Promise<void> {
  const response = await fetch(address);
  const html = await response.text();
  if (!response.ok || !html.includes("vscode-workbench-web-configuration")) {
    throw new Error(`the page answered ${response.status}`);
  }
  console.log("The page answers.");
}
