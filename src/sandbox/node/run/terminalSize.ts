// Resizes the terminal that `script` creates to the size of the client's terminal.
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { NodeTerminalSize } from "../node.ts";

const run = promisify(execFile);
// Retries are needed because `script` creates the terminal a moment after its start.
const maxAttempts = 40;
const retryMs = 50;

/** Applies `sizes` until they end or `signal` aborts. Stops without an error if `script` creates no terminal. */
export async function followSizes(
  script: number,
  sizes: AsyncIterable<NodeTerminalSize>,
  platform: NodeJS.Platform,
  signal: AbortSignal,
): Promise<void> {
  const file = platform === "linux" ? "-F" : "-f";
  let terminal: string | undefined;
  try {
    for await (const { columns, rows } of sizes) {
      terminal ??= await terminalBelow(script, signal);
      if (terminal === undefined) return;
      const size = ["rows", String(rows), "columns", String(columns)];
      await run("stty", [file, terminal, ...size], { signal });
    }
  } catch {
    // The command ended, or `stty` is missing. Leave the size unchanged.
  }
}

async function terminalBelow(script: number, signal: AbortSignal): Promise<string | undefined> {
  for (let look = 0; look < maxAttempts; look += 1) {
    const { stdout } = await run("ps", ["-A", "-o", "ppid=,tty="], { signal });
    const [own] = stdout.split("\n").flatMap((line) => {
      const [parent, terminal = "?"] = line.trim().split(/\s+/);
      return Number(parent) === script && !terminal.startsWith("?") ? [terminal] : [];
    });
    if (own !== undefined) return `/dev/${own}`;
    await sleep(retryMs, undefined, { signal });
  }
  return undefined;
}
