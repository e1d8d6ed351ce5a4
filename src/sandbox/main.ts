// Entry point of the sandbox process: `node sandbox.cjs FOLDER [SETTINGS]`. It prints "ready" when it serves the API.
// It prints "another one runs", and ends, if the folder has a running sandbox. Later messages go to the file `log` in
// the folder.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { runSandbox } from "./life/runSandbox.ts";
import { nodeSettings, readSettings } from "./life/settings.ts";
import { nodeWith } from "./node/startNode.ts";

const [folder, settings] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: sandbox.cjs FOLDER [SETTINGS]");

const log = (line: string): void => {
  // A full disk must not stop the sandbox.
  appendFile(join(folder, "log"), `${new Date().toISOString()} ${line}\n`, { mode: 0o600 }).catch(
    () => undefined,
  );
};
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    stop.abort();
  });
}
// Ignore a broken pipe, because the parent process may have exited.
process.stdout.on("error", () => undefined);

runSandbox({
  folder,
  startNode: nodeWith(nodeSettings(readSettings(settings), process.env, log)),
  signal: stop.signal,
  begun: (how) => process.stdout.write(`${how}\n`),
  log,
}).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
