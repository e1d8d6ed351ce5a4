import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits for the lock file and holds it during the work, because test files run in parallel. */
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
  // An empty lock file was just created, and its holder has not written its process id yet. If the holder's process
  // no longer exists, it ended without releasing the lock.
  if (holder !== "" && !existsSync(`/proc/${holder}`)) await rm(lock, { force: true });
  return false;
}
