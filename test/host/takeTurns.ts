import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Runs the work while it holds the lock file, because test files run in parallel. */
export async function takeTurns<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(lock), { recursive: true });
  while (!(await take(lock))) await sleep(200);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const holder = await readFile(lock, "utf8").catch(() => "");
  // Empty: just created, before the holder's id is written. Gone: the holder ended without
  // releasing it.
  if (holder !== "" && !existsSync(`/proc/${holder}`)) await rm(lock, { force: true });
  return false;
}
