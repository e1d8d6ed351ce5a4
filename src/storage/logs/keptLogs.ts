import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, KeptLog, KeptLogName, KeptLogs, KeptLogWriter } from "../../engine/ports.ts";
import { type LogLine, parseLogLine } from "../../spark/logs/logLine.ts";
import { systemCode } from "../systemCode.ts";
import { LogFile } from "./logFile.ts";
import { takeWriterLock } from "./writerLock.ts";

export interface KeptLogOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** How much the files may take on the disk, and how old the newest line of one may be. */
  readonly limits: () => { readonly bytes: number; readonly ageMs: number };
  readonly log: (line: string) => void;
}

/** The logs that are kept on this machine: a folder an application, in it a file and its index for each container. */
export function keptLogs(options: KeptLogOptions): KeptLogs {
  const { folder } = options;
  const folderOf = (context: string, id: string): string => join(folder, digest(context, id));
  return {
    async openWriter(context, applicationId) {
      const own = folderOf(context, applicationId);
      await mkdir(own, { recursive: true, mode: 0o700 });
      const lock = await takeWriterLock(join(own, "writer.lock"), options.clock);
      if (lock === undefined) return undefined;
      await prune(options, own);
      return new Writer(own, options, () => {
        lock.dispose();
      });
    },
    list: () => listAll(folder),
    async *read(name, signal) {
      const file = new LogFile(join(folderOf(name.context, name.applicationId), fileOf(name)));
      for (const block of (await file.index()).blocks) {
        signal.throwIfAborted();
        yield linesOf(await file.read(block));
      }
    },
    forget: (context, applicationId) =>
      rm(folderOf(context, applicationId), { recursive: true, force: true }),
  };
}

class Writer implements KeptLogWriter {
  readonly #folder: string;
  readonly #options: KeptLogOptions;
  readonly #release: () => void;
  readonly #files = new Map<string, Promise<LogFile>>();
  /** One after the other, so that blocks stand in order. */
  #work: Promise<void> = Promise.resolve();
  #sincePrune = 0;

  constructor(folder: string, options: KeptLogOptions, release: () => void) {
    this.#folder = folder;
    this.#options = options;
    this.#release = release;
  }

  append(name: KeptLogName, lines: readonly LogLine[]): Promise<void> {
    const done = this.#work.then(() => this.#append(name, lines));
    this.#work = done.catch(() => undefined);
    return done;
  }

  async newest(name: KeptLogName): Promise<readonly LogLine[]> {
    const file = await this.#file(name);
    const last = (await file.index()).blocks.at(-1);
    return last === undefined ? [] : linesOf(await file.read(last));
  }

  dispose(): void {
    void this.#work.then(this.#release, this.#release);
  }

  async #append(name: KeptLogName, lines: readonly LogLine[]): Promise<void> {
    const file = await this.#file(name);
    const text = lines.map(({ timestamp, text }) => `${timestamp} ${text}\n`).join("");
    const stamps = lines.map(({ timestamp }) => timestamp).filter((stamp) => stamp !== "");
    this.#sincePrune += await file.append(text, {
      lines: lines.length,
      first: stamps[0] ?? "",
      last: stamps.at(-1) ?? "",
    });
    if (this.#sincePrune < pruneEveryBytes) return;
    this.#sincePrune = 0;
    await prune(this.#options, this.#folder);
  }

  #file(name: KeptLogName): Promise<LogFile> {
    const path = join(this.#folder, fileOf(name));
    const known = this.#files.get(path);
    if (known) return known;
    const opened = begin(path, name);
    this.#files.set(path, opened);
    return opened;
  }
}

const pruneEveryBytes = 1 << 20;

async function begin(path: string, name: KeptLogName): Promise<LogFile> {
  await writeFile(`${path}.json`, JSON.stringify(name), { mode: 0o600 });
  const file = new LogFile(path);
  await file.mend();
  return file;
}

async function listAll(folder: string): Promise<readonly KeptLog[]> {
  const all: KeptLog[] = [];
  for (const { path } of await filesIn(folder)) {
    const name = await readName(path);
    if (name === undefined) continue;
    const { blocks, isCutOff } = await new LogFile(path).index();
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) continue;
    all.push({
      ...name,
      lines: sum(blocks, ({ lines }) => lines),
      bytes: sum(blocks, ({ bytes }) => bytes),
      first: first.first,
      last: last.last,
      isCutOff,
    });
  }
  return all.sort((a, b) => (a.last < b.last ? 1 : -1));
}

/**
 * Drops what is too old, then the oldest files until the rest fits; of those of the application that is being
 * written, the older half instead.
 */
async function prune({ folder, limits, clock, log }: KeptLogOptions, own: string): Promise<void> {
  const { bytes, ageMs } = limits();
  const files = (await filesIn(folder)).sort((a, b) => a.changedAt - b.changedAt);
  let total = sum(files, ({ size }) => size);
  for (const { path, size, changedAt } of files) {
    const isOld = clock.now() - changedAt > ageMs;
    if (!isOld && total <= bytes) continue;
    if (path.startsWith(own) && !isOld) total -= await new LogFile(path).dropOlderHalf();
    else {
      await Promise.all(["", ".json", ".index"].map((end) => rm(path + end, { force: true })));
      total -= size;
    }
    log(`a kept log was ${isOld ? "dropped for its age" : "cut for the sake of space"}`);
  }
}

interface StoredFile {
  readonly path: string;
  readonly size: number;
  readonly changedAt: number;
}

async function filesIn(folder: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const own of await namesIn(folder)) {
    for (const name of await namesIn(join(folder, own))) {
      if (!name.endsWith(".gz")) continue;
      const path = join(folder, own, name);
      const found = await ifThere(() => stat(path));
      if (found) files.push({ path, size: found.size, changedAt: found.mtimeMs });
    }
  }
  return files;
}

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await ifThere(() => readdir(folder))) ?? [];

async function readName(path: string): Promise<KeptLogName | undefined> {
  const text = await ifThere(() => readFile(`${path}.json`, "utf8"));
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

/** Another window may have dropped it. */
async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

const linesOf = (text: string): readonly LogLine[] => text.split("\n").slice(0, -1).map(parseKept);

// A line without a stamp was written with an empty one.
const parseKept = (line: string): LogLine =>
  line.startsWith(" ") ? { timestamp: "", text: line.slice(1) } : parseLogLine(line);

const fileOf = ({ uid, container }: KeptLogName): string => `${digest(uid, container)}.gz`;

// Names from a cluster never become paths.
const digest = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24);

const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);
