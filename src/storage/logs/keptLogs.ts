import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, KeptLogName, KeptLogs, KeptLogWriter } from "../../engine/ports.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { LogFile, type LogSlice, type LogSummary } from "./logFile.ts";
import { isThere, unlessGone } from "./unlessGone.ts";
import { takeWriterLock, type WriterLock } from "./writerLock.ts";

export interface KeptLogOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** How much the files may take on the disk, and how long ago a piece of one may have been written. */
  readonly limits: () => { readonly bytes: number; readonly ageMs: number };
  readonly log: (line: string) => void;
}

/**
 * The logs that are kept on this machine: a folder an application, in it the files of each container's log. Who
 * holds the folder's lock writes and drops; all may read.
 */
export function keptLogs(options: KeptLogOptions): KeptLogs {
  const { folder, clock } = options;
  const folderOf = (context: string, id: string): string => join(folder, digest(context, id));
  return {
    async openWriter(context, applicationId) {
      const own = folderOf(context, applicationId);
      await mkdir(own, { recursive: true, mode: 0o700 });
      const lock = await takeWriterLock(own, clock);
      if (lock === undefined) return undefined;
      try {
        await prune(options, own);
      } catch (error) {
        await lock.release();
        throw error;
      }
      return new Writer(own, options, lock);
    },
    async list() {
      await prune(options, undefined);
      const all = (await filesIn(options)).map(({ name, summary }) => ({ ...name, ...summary }));
      return all.sort((a, b) => (a.last < b.last ? 1 : -1));
    },
    async *read(name, signal) {
      const own = folderOf(name.context, name.applicationId);
      for await (const lines of logFile(options, own, fileOf(name)).read()) {
        signal.throwIfAborted();
        yield lines;
      }
    },
    async forget(context, applicationId) {
      const own = folderOf(context, applicationId);
      const lock = await takeWriterLock(own, clock);
      if (lock === undefined) return !(await isThere(own));
      await rm(own, { recursive: true, force: true });
      await lock.release();
      return true;
    },
  };
}

class Writer implements KeptLogWriter {
  readonly #folder: string;
  readonly #options: KeptLogOptions;
  readonly #lock: WriterLock;
  readonly #files = new Map<string, Promise<LogFile>>();
  /** One after the other, so that lines stand in order. */
  #work: Promise<unknown> = Promise.resolve();
  #sincePrune = 0;
  readonly #stop = new AbortController();
  readonly done: Promise<void>;

  constructor(folder: string, options: KeptLogOptions, lock: WriterLock) {
    this.#folder = folder;
    this.#options = options;
    this.#lock = lock;
    this.done = once(this.#stop.signal, "abort")
      .then(() => this.#work)
      .then(() => this.#end())
      .catch((error: unknown) => {
        options.log(`the end of a kept log is not compressed: ${String(error)}`);
      });
  }

  append(name: KeptLogName, lines: readonly LogLine[]): Promise<"kept" | "lost"> {
    const done = this.#work.then(() => this.#append(name, lines));
    this.#work = done.catch(() => undefined);
    return done;
  }

  async newest(name: KeptLogName): Promise<readonly LogLine[]> {
    return (await this.#file(name)).newest();
  }

  dispose(): void {
    this.#stop.abort();
  }

  async #append(name: KeptLogName, lines: readonly LogLine[]): Promise<"kept" | "lost"> {
    if (!(await this.#lock.isMine())) return "lost";
    this.#sincePrune += await (await this.#file(name)).append(lines);
    if (this.#sincePrune < pruneEveryBytes) return "kept";
    this.#sincePrune = 0;
    await prune(this.#options, this.#folder);
    // What was dropped whole begins anew, with its name.
    this.#files.clear();
    return "kept";
  }

  async #end(): Promise<void> {
    try {
      if (!(await this.#lock.isMine())) return;
      for (const file of this.#files.values()) await (await file).end();
    } finally {
      await this.#lock.release();
    }
  }

  #file(name: KeptLogName): Promise<LogFile> {
    const file = fileOf(name);
    const known = this.#files.get(file);
    if (known) return known;
    const opened = begin(logFile(this.#options, this.#folder, file), name, this.#folder);
    this.#files.set(file, opened);
    // Who tries again may have a disk that is not full any more.
    opened.catch(() => {
      if (this.#files.get(file) === opened) this.#files.delete(file);
    });
    return opened;
  }
}

const pruneEveryBytes = 1 << 20;

async function begin(file: LogFile, name: KeptLogName, folder: string): Promise<LogFile> {
  await writeFile(join(folder, `${fileOf(name)}.json`), JSON.stringify(name), { mode: 0o600 });
  await file.begin();
  return file;
}

/**
 * Drops what is too old, then the oldest of whichever application takes most, until the rest fits: one that writes
 * much is not to cost the others their logs. Those of an application that a window keeps are left to it; of `own`,
 * which is being written by the caller, the end stays for who goes on from there.
 */
async function prune(options: KeptLogOptions, own: string | undefined): Promise<void> {
  const { limits, clock, log } = options;
  const { bytes, ageMs } = limits();
  const locks = new Map<string, WriterLock | undefined>();
  const mayDrop = async (folder: string): Promise<boolean> => {
    if (folder === own) return true;
    if (!locks.has(folder)) locks.set(folder, await takeWriterLock(folder, clock));
    return locks.get(folder) !== undefined;
  };
  try {
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
      log("a kept log was dropped, or cut, for its age");
      const slices = summary.slices.slice(summary.slices.indexOf(last) + 1);
      if (slices.length > 0) logs.push({ ...one, summary: { ...summary, slices } });
    }
    for (const [file, slice] of await dropsToFit(logs, bytes, own, mayDrop)) {
      await file.drop(slice);
      log("a kept log was cut for the sake of space");
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

/** The slices through which logs are to be dropped. */
async function dropsToFit(
  logs: readonly StoredLog[],
  bytes: number,
  own: string | undefined,
  mayDrop: (folder: string) => Promise<boolean>,
): Promise<ReadonlyMap<LogFile, LogSlice>> {
  const folders = [...new Set(logs.map(({ folder }) => folder))].map((folder) => {
    const slices = logs
      .filter((one) => one.folder === folder)
      .flatMap(({ file, summary }) => summary.slices.map((slice) => ({ file, slice })));
    const size = slices.reduce((sum, { slice }) => sum + slice.bytes, 0);
    const mayGo = slices
      .filter(({ slice }) => folder !== own || slice.through !== "end")
      .sort((a, b) => a.slice.at - b.slice.at);
    return { folder, size, mayGo };
  });
  const drops = new Map<LogFile, LogSlice>();
  let over = folders.reduce((sum, { size }) => sum + size, 0) - bytes;
  let left = folders;
  while (over > 0 && left.length > 0) {
    const most = left.reduce((a, b) => (b.size > a.size ? b : a));
    const oldest = (await mayDrop(most.folder)) ? most.mayGo.shift() : undefined;
    if (oldest) {
      drops.set(oldest.file, oldest.slice);
      most.size -= oldest.slice.bytes;
      over -= oldest.slice.bytes;
    } else {
      left = left.filter((one) => one !== most);
      // Another window that writes drops its own before long; until then others are not to pay for it.
      if (most.folder !== own) over -= pruneEveryBytes;
    }
  }
  return drops;
}

interface StoredLog {
  readonly folder: string;
  readonly name: KeptLogName;
  readonly file: LogFile;
  readonly summary: LogSummary;
}

async function filesIn(options: KeptLogOptions): Promise<readonly StoredLog[]> {
  const files: StoredLog[] = [];
  for (const own of await namesIn(options.folder)) {
    const folder = join(options.folder, own);
    for (const one of await logsIn(folder)) {
      const name = await readName(join(folder, `${one}.json`));
      const file = logFile(options, folder, one);
      const summary = await file.summary();
      if (name && summary) files.push({ folder, name, file, summary });
    }
  }
  return files;
}

const logFile = ({ clock }: KeptLogOptions, folder: string, file: string): LogFile =>
  new LogFile(join(folder, file), () => clock.now());

const logsIn = async (folder: string): Promise<readonly string[]> =>
  (await namesIn(folder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await unlessGone(readdir(folder))) ?? [];

async function readName(path: string): Promise<KeptLogName | undefined> {
  const text = await unlessGone(readFile(path, "utf8"));
  if (text === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return isName(read) ? read : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const nameFields = [
  "context",
  "namespace",
  "applicationId",
  "application",
  "source",
  "pod",
  "uid",
  "container",
] as const;

const isName = (read: unknown): read is KeptLogName =>
  typeof read === "object" &&
  read !== null &&
  nameFields.every((field) => typeof Reflect.get(read, field) === "string");

const fileOf = ({ uid, container }: KeptLogName): string => digest(uid, container);

// Names from a cluster never become paths.
const digest = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24);
