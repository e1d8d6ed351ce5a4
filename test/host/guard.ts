// Runs a command that must not outlive the caller: `node guard.ts FOLDER COMMAND …`. When standard input closes or a
// signal arrives, it ends the command with all its descendants. It deletes FOLDER at the end.
import { spawn } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** A process; its start time distinguishes it from a later one with the same id. */
interface Started {
  readonly id: number;
  readonly parent: number;
  readonly since: string;
}

const [folder, command, ...parameters] = process.argv.slice(2);
if (folder === undefined || command === undefined) throw new Error("guard.ts FOLDER COMMAND …");

const child = spawn(command, parameters, { stdio: ["ignore", "inherit", "inherit"] });
const exited = new Promise<void>((resolve) => {
  child.once("exit", () => {
    resolve();
  });
  child.once("error", (error) => {
    console.error(error.message);
    resolve();
  });
});
const told = new Promise<void>((resolve) => {
  process.stdin.once("close", resolve).resume();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      resolve();
    });
  }
});

await Promise.race([exited, told]);
const family = child.pid === undefined ? [] : descendants(child.pid, await processes());
child.kill("SIGTERM");
await Promise.race([exited, sleep(500)]);
const left = await processes();
for (const { id, since } of family) {
  if (left.some((other) => other.id === id && other.since === since)) process.kill(id, "SIGKILL");
}
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(child.exitCode ?? 0);

function descendants(root: number, all: readonly Started[]): readonly Started[] {
  const found = all.filter(({ id }) => id === root);
  for (const member of found) found.push(...all.filter(({ parent }) => parent === member.id));
  return found;
}

async function processes(): Promise<readonly Started[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/stat`, "utf8").catch(() => "")),
  );
  return stats.flatMap((stat) => {
    // The name in parentheses may contain spaces, so split only the fields after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent] = fields;
    const since = fields[19];
    if (parent === undefined || since === undefined || state === "Z") return [];
    return [{ id: Number.parseInt(stat, 10), parent: Number(parent), since }];
  });
}
