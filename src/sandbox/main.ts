// The sandbox's own process: `node sandbox.cjs FOLDER [SETTINGS]`. It says "ready" on its standard output and is then on
// its own; what it has to say goes into the folder.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { runSandbox } from "./life/runSandbox.ts";
import { nodeSettings, readSettings } from "./life/settings.ts";
import { nodeWith } from "./node/startNode.ts";

const [folder, settings] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: sandbox.cjs FOLDER [SETTINGS]");

const log = (line: string): void => {
  // A disk that is full must not end the sandbox.
  appendFile(join(folder, "log"), `${new Date().toISOString()} ${line}\n`, { mode: 0o600 }).catch(
    () => undefined,
  );
};
const told = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    told.abort();
  });
}
// Who started it may have gone.
process.stdout.on("error", () => undefined);

runSandbox({
  folder,
  startNode: nodeWith(nodeSettings(readSettings(settings), process.env, log)),
  signal: told.signal,
  begun: (how) => process.stdout.write(`${how}\n`),
  log,
}).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
