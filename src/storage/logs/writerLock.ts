import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../engine/ports.ts";
import { systemCode } from "../systemCode.ts";
import { isThere, unlessGone } from "./unlessGone.ts";

const touchEveryMs = 15_000;
/** Who lives touches its lock: of the name of a process nobody can tell whose it is by now. */
const staleMs = 60_000;

/** The right to write into a folder. */
export interface WriterLock {
  /** False from the moment that another window has taken over, as this one seemed to be dead. */
  isMine(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Undefined: another window that is alive has it, or is just taking it. Each holder makes a file with the number
 * after the last one's, which only one can make, and takes the older ones away. The newest stays when it is let go
 * of: were numbers given anew, a slow window could make one that others are past, beside a holder.
 */
export async function takeWriterLock(
  folder: string,
  clock: Clock,
): Promise<WriterLock | undefined> {
  const before = (await locksIn(folder)).at(-1);
  if (before !== undefined && !(await isFree(lockPath(folder, before)))) return undefined;
  const mine = (before ?? 0) + 1;
  const path = lockPath(folder, mine);
  if (!(await create(path))) return undefined;
  const all = await locksIn(folder);
  if (all.at(-1) !== mine) {
    await rm(path, { force: true });
    return undefined;
  }
  for (const one of all) if (one !== mine) await rm(lockPath(folder, one), { force: true });
  const stop = new AbortController();
  // Ends with the abort, or with the file; neither is anybody's fault.
  touch(path, clock, stop.signal).catch(() => undefined);
  return {
    isMine: () => isThere(path),
    release: () => {
      stop.abort();
      return release(path);
    },
  };
}

const lockPath = (folder: string, number: number): string => join(folder, `writer.${number}.lock`);

/** The numbers of the locks that are there, the newest last. */
async function locksIn(folder: string): Promise<readonly number[]> {
  const names = await unlessGone(readdir(folder));
  return (names ?? [])
    .map((name) => Number(/^writer\.(\d+)\.lock$/.exec(name)?.[1]))
    .filter((number) => !Number.isNaN(number))
    .sort((a, b) => a - b);
}

async function touch(path: string, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(touchEveryMs, signal);
    const now = new Date();
    await utimes(path, now, now);
  }
}

async function create(path: string): Promise<boolean> {
  let file;
  try {
    file = await open(path, "wx", 0o600);
    const holder = { pid: process.pid, host: hostname(), id: randomUUID() };
    await file.writeFile(JSON.stringify(holder));
    return true;
  } catch (error) {
    // Without its folder, all of the application was dropped just now.
    if (["EEXIST", "ENOENT"].includes(systemCode(error) ?? "")) return false;
    throw error;
  } finally {
    await file?.close();
  }
}

async function isFree(path: string): Promise<boolean> {
  const text = await unlessGone(readFile(path, "utf8"));
  const found = await unlessGone(stat(path));
  // Another window has just passed it.
  if (text === undefined || found === undefined) return false;
  if (Date.now() - found.mtimeMs > staleMs) return true;
  const holder = holderIn(text);
  if (holder.released === true) return true;
  return holder.host === hostname() && typeof holder.pid === "number" && !isAlive(holder.pid);
}

interface Holder {
  readonly pid?: unknown;
  readonly host?: unknown;
  readonly released?: unknown;
}

function holderIn(text: string): Holder {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null ? read : {};
  } catch (error) {
    // Only half written so far.
    if (error instanceof SyntaxError) return {};
    throw error;
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

async function release(path: string): Promise<void> {
  // Never made anew: it may be another's by now.
  const file = await unlessGone(open(path, "r+"));
  try {
    await file?.truncate();
    await file?.writeFile(JSON.stringify({ released: true }));
  } finally {
    await file?.close();
  }
}
