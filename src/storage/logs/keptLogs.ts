import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { KeptLogName, KeptLogs, KeptLogWriter } from "../../engine/ports/logs.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import type { LogFile } from "./logFile.ts";
import { pruneEveryBytes, pruneLogs } from "./pruneLogs.ts";
import { filesIn, logFile, packTails, writeName, type KeptLogOptions } from "./storedLogs.ts";
import { isThere } from "../../io/unlessGone.ts";
import { takeWriterLock, type WriterLock } from "./writerLock.ts";

/**
 * Stores logs on this machine. Each application has a folder with the files of its container logs. Only the holder of
 * the folder's lock may write or delete them; every window may read them.
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
        await pruneLogs(options, own);
      } catch (error) {
        await lock.release();
        throw error;
      }
      return new Writer(own, options, lock);
    },
    prune: () => pruneLogs(options, undefined),
    async list() {
      await pruneLogs(options, undefined);
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
  readonly #files = new Map<string, LogFile>();
  /** Serializes all writes, so that lines keep their order. */
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
        options.log(`the end of a kept log was not compressed: ${String(error)}`);
      });
  }

  append(name: KeptLogName, lines: readonly LogLine[]): Promise<"kept" | "lost"> {
    return this.#write(() => this.#append(name, lines));
  }

  async end(name: KeptLogName): Promise<void> {
    await this.#write(async () => (await this.#file(name)).end());
  }

  async newest(name: KeptLogName): Promise<readonly LogLine[]> {
    const lines = await this.#write(async () => (await this.#file(name)).newest());
    return lines === "lost" ? [] : lines;
  }

  dispose(): void {
    this.#stop.abort();
  }

  #write<T>(work: () => Promise<T>): Promise<T | "lost"> {
    const done = this.#work.then(async () => {
      if (!(await this.#lock.isMine())) return "lost";
      try {
        return await work();
      } catch (error) {
        // Reopen the files after a failed write: `begin` truncates partially written lines.
        this.#files.clear();
        throw error;
      }
    });
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #append(name: KeptLogName, lines: readonly LogLine[]): Promise<"kept"> {
    this.#sincePrune += await (await this.#file(name)).append(lines);
    if (this.#sincePrune < pruneEveryBytes) return "kept";
    this.#sincePrune = 0;
    await pruneLogs(this.#options, this.#folder);
    // Reopen the files: pruning may have deleted a whole log, including its name file.
    this.#files.clear();
    return "kept";
  }

  async #end(): Promise<void> {
    try {
      if (await this.#lock.isMine()) await packTails(this.#options, this.#folder);
    } finally {
      await this.#lock.release();
    }
  }

  async #file(name: KeptLogName): Promise<LogFile> {
    const file = fileOf(name);
    const known = this.#files.get(file);
    if (known) return known;
    const begun = logFile(this.#options, this.#folder, file);
    await writeName(join(this.#folder, `${file}.json`), name);
    await begun.begin();
    this.#files.set(file, begun);
    return begun;
  }
}

const fileOf = ({ uid, container }: KeptLogName): string => digest(uid, container);

// Names from the cluster are hashed, so that they never become paths.
const digest = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24);
