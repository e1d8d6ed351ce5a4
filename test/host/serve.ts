// Serves VS Code with the extension for a folder until Ctrl+C: `node serve.ts FOLDER DATA [--check]`. DATA is the data
// folder of VS Code, which is deleted at the end. With `--check`, it requests the page once and exits.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { addressOf } from "./page.ts";
import { packageExtension } from "./packageExtension.ts";
import { installVsix, startServer } from "./server.ts";
import { setUpHost } from "./setUp.ts";

const [workspace, folder, option] = process.argv.slice(2);
if (workspace === undefined || folder === undefined)
  throw new Error("serve.ts FOLDER DATA [--check]");
const version = "newest";

const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    stopped.abort();
  });
}

await setUpHost(console.log);
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
