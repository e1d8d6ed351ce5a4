import { randomUUID } from "node:crypto";
import { open, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import type { Disposable } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports.ts";
import { systemCode } from "../systemCode.ts";

const touchEveryMs = 15_000;
/** A window of another machine on the same disk shows that it lives by touching its lock. */
const staleMs = 60_000;

/** Undefined: another window that is alive has it. A lock whose window has died is taken over. */
export async function takeWriterLock(path: string, clock: Clock): Promise<Disposable | undefined> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  if (!(await create(path, mine))) {
    if (!(await isStale(path))) return undefined;
    await rm(path, { force: true });
    if (!(await create(path, mine))) return undefined;
  }
  const stop = new AbortController();
  // Ends with the abort, or with the file; neither is anybody's fault.
  touch(path, clock, stop.signal).catch(() => undefined);
  return {
    dispose: () => {
      stop.abort();
      removeOwn(path, mine).catch(() => undefined);
    },
  };
}

async function touch(path: string, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(touchEveryMs, signal);
    const now = new Date();
    await utimes(path, now, now);
  }
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(text);
    await file.close();
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const holder = JSON.parse(await readFile(path, "utf8")) as { pid?: unknown; host?: unknown };
    if (holder.host === hostname() && typeof holder.pid === "number") return !isAlive(holder.pid);
    return Date.now() - (await stat(path)).mtimeMs > staleMs;
  } catch (error) {
    // Let go of just now, or only half written so far.
    return systemCode(error) === "ENOENT";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

async function removeOwn(path: string, mine: string): Promise<void> {
  if ((await readFile(path, "utf8")) === mine) await rm(path, { force: true });
}
