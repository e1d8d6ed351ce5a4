import { rm } from "node:fs/promises";
import type { LogFile, LogSlice } from "./logFile.ts";
import { filesIn, logsIn, packTails, type KeptLogOptions, type StoredLog } from "./storedLogs.ts";
import { takeWriterLock, type WriterLock } from "./writerLock.ts";

/** A writer prunes the logs each time it has appended this many bytes. */
export const pruneEveryBytes = 1 << 20;

/**
 * Drops expired slices and logs beyond the maximum number. Then drops the oldest slices of the largest application
 * until the size limit is met, so that a large application does not displace the logs of others. Skips applications
 * that another window is writing. `own`: the folder that the caller is writing; undefined if it writes none. The size
 * limit never drops the "end" slices of `own`, because the writer continues from them. If dropping the pieces of `own`
 * is not enough, compresses its tails first.
 */
export async function pruneLogs(options: KeptLogOptions, own: string | undefined): Promise<void> {
  const { limits, clock, log } = options;
  const { bytes } = limits();
  const locks = new Map<string, WriterLock | undefined>();
  const mayDrop = async (folder: string): Promise<boolean> => {
    if (folder === own) return true;
    if (!locks.has(folder)) locks.set(folder, await takeWriterLock(folder, clock));
    return locks.get(folder) !== undefined;
  };
  try {
    let logs = await dropSurplus(options, await dropOld(options, mayDrop), own, mayDrop);
    if (
      own !== undefined &&
      !hasPiecesFor(sizeOf(slicesOf(logs)) - bytes, logs.filter(isIn(own)))
    ) {
      await packTails(options, own);
      logs = await dropOld(options, mayDrop);
    }
    for (const [file, slice] of await dropsToFit(logs, bytes, own, mayDrop)) {
      await file.drop(slice);
      log("a kept log was truncated to free space");
    }
  } finally {
    for (const [folder, lock] of locks) {
      if (lock && (await logsIn(folder)).length === 0) {
        await rm(folder, { recursive: true, force: true });
      }
      await lock?.release();
    }
  }
}

/** Drops slices that exceed the maximum age. Returns the remaining logs. */
async function dropOld(
  options: KeptLogOptions,
  mayDrop: (folder: string) => Promise<boolean>,
): Promise<readonly StoredLog[]> {
  const { limits, clock, log } = options;
  const { ageMs } = limits();
  const logs: StoredLog[] = [];
  for (const one of await filesIn(options)) {
    const { folder, file, summary } = one;
    const old = summary.slices.filter(({ at }) => clock.now() - at > ageMs);
    const last = old.at(-1);
    if (last === undefined || !(await mayDrop(folder))) {
      logs.push(one);
      continue;
    }
    await file.drop(last);
    log("a kept log was deleted or truncated because of its age");
    const slices = summary.slices.slice(summary.slices.indexOf(last) + 1);
    if (slices.length > 0) logs.push({ ...one, summary: { ...summary, slices } });
  }
  return logs;
}

/**
 * Drops the least recently written logs beyond the maximum number, except those in `own`. Returns the remaining logs.
 */
async function dropSurplus(
  { limits, log }: KeptLogOptions,
  logs: readonly StoredLog[],
  own: string | undefined,
  mayDrop: (folder: string) => Promise<boolean>,
): Promise<readonly StoredLog[]> {
  const newestAt = ({ summary }: StoredLog): number => summary.slices.at(-1)?.at ?? 0;
  const surplus = [...logs]
    .sort((a, b) => newestAt(a) - newestAt(b))
    .slice(0, Math.max(0, logs.length - limits().logs));
  const dropped = new Set<StoredLog>();
  for (const one of surplus) {
    const last = one.summary.slices.at(-1);
    if (one.folder === own || last === undefined || !(await mayDrop(one.folder))) continue;
    await one.file.drop(last);
    dropped.add(one);
  }
  if (dropped.size > 0) log(`${dropped.size} kept logs were deleted because there are too many`);
  return logs.filter((one) => !dropped.has(one));
}

/** Returns the newest slice to drop for each log that must be cut. The older slices of the log are dropped with it. */
async function dropsToFit(
  logs: readonly StoredLog[],
  bytes: number,
  own: string | undefined,
  mayDrop: (folder: string) => Promise<boolean>,
): Promise<ReadonlyMap<LogFile, LogSlice>> {
  const folders = [...new Set(logs.map(({ folder }) => folder))].map((folder) => {
    const slices = logs
      .filter(isIn(folder))
      .flatMap(({ file, summary }) => summary.slices.map((slice) => ({ file, slice })));
    const size = sizeOf(slices.map(({ slice }) => slice));
    const mayGo = slices
      .filter(({ slice }) => folder !== own || isPiece(slice))
      .sort((a, b) => a.slice.at - b.slice.at);
    return { folder, size, mayGo };
  });
  const drops = new Map<LogFile, LogSlice>();
  let over = folders.reduce((sum, { size }) => sum + size, 0) - bytes;
  let left = folders;
  while (over > 0 && left.length > 0) {
    const largest = left.reduce((a, b) => (b.size > a.size ? b : a));
    const oldest = (await mayDrop(largest.folder)) ? largest.mayGo.shift() : undefined;
    if (oldest) {
      drops.set(oldest.file, oldest.slice);
      largest.size -= oldest.slice.bytes;
      over -= oldest.slice.bytes;
    } else {
      left = left.filter((one) => one !== largest);
      // Nothing more can be dropped in this folder. Do not drop logs of other applications instead: count `own` as
      // dropped. For a folder that another window is writing, subtract one prune interval, because that window prunes
      // it.
      over -= largest.folder === own ? largest.size : pruneEveryBytes;
    }
  }
  return drops;
}

const isIn =
  (folder: string) =>
  (log: StoredLog): boolean =>
    log.folder === folder;

const isPiece = ({ through }: LogSlice): boolean => through !== "end";

const hasPiecesFor = (bytes: number, logs: readonly StoredLog[]): boolean =>
  sizeOf(slicesOf(logs).filter(isPiece)) >= bytes;

const slicesOf = (logs: readonly StoredLog[]): readonly LogSlice[] =>
  logs.flatMap(({ summary }) => summary.slices);

const sizeOf = (slices: readonly LogSlice[]): number =>
  slices.reduce((sum, { bytes }) => sum + bytes, 0);
