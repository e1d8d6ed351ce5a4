// The terminal that `script` lends to a command has the size of its client's window.
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { TerminalSize } from "../node.ts";

const run = promisify(execFile);
// `script` makes the terminal a moment after it has begun itself.
const looks = 40;
const lookAgainMs = 50;

/** Follows `sizes` until they end or `signal` aborts; what has no terminal keeps none. */
export async function followSizes(
  script: number,
  sizes: AsyncIterable<TerminalSize>,
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
    // It has ended, or this machine has no such program: the size stays as it is.
  }
}

async function terminalBelow(script: number, signal: AbortSignal): Promise<string | undefined> {
  for (let look = 0; look < looks; look += 1) {
    const { stdout } = await run("ps", ["-A", "-o", "ppid=,tty="], { signal });
    const [own] = stdout.split("\n").flatMap((line) => {
      const [parent, terminal = "?"] = line.trim().split(/\s+/);
      return Number(parent) === script && !terminal.startsWith("?") ? [terminal] : [];
    });
    if (own !== undefined) return `/dev/${own}`;
    await sleep(lookAgainMs, undefined, { signal });
  }
  return undefined;
}
