import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../engine/ports/clock.ts";
import { systemCode } from "../../io/systemCode.ts";
import { isThere, unlessGone } from "../../io/unlessGone.ts";

const touchEveryMs = 15_000;
/**
 * Age in ms after which a lock is free. A live holder touches its lock every `touchEveryMs`. Its process id alone
 * proves nothing, because the system reuses ids.
 */
const staleMs = 60_000;

/** The exclusive lock for writing to a folder. */
export interface WriterLock {
  /** Returns false after another window took the lock over because this window seemed dead. */
  isMine(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes the lock; undefined if a live window holds it or is taking it. Each holder exclusively creates a lock file with
 * the next number and removes the older ones. A released lock file stays, so that numbers are never reused. Otherwise a
 * slow window could create an outdated number beside the current holder.
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
  // The loop ends on abort or when the lock file is removed; both are expected.
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

/** Returns the numbers of the existing lock files, newest last. */
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
    // EEXIST: another window was faster. ENOENT: the application's folder was just deleted.
    if (["EEXIST", "ENOENT"].includes(systemCode(error) ?? "")) return false;
    throw error;
  } finally {
    await file?.close();
  }
}

async function isFree(path: string): Promise<boolean> {
  const text = await unlessGone(readFile(path, "utf8"));
  const found = await unlessGone(stat(path));
  // Another window has just replaced this lock file.
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
    // The lock file is not completely written yet.
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
  // Open without creating: another window may have taken the lock over and removed this file.
  const file = await unlessGone(open(path, "r+"));
  try {
    await file?.truncate();
    await file?.writeFile(JSON.stringify({ released: true }));
  } finally {
    await file?.close();
  }
}
