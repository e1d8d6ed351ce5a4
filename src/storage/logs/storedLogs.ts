import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../engine/ports/clock.ts";
import type { KeptLogName } from "../../engine/ports/logs.ts";
import { LogFile, type LogSummary } from "./logFile.ts";
import { unlessGone } from "../../io/unlessGone.ts";

export interface KeptLogOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly limits: () => KeptLimits;
  readonly log: (line: string) => void;
}

export interface KeptLimits {
  /** Maximum total size on disk, in bytes. */
  readonly bytes: number;
  /** Maximum age of a slice, in ms. */
  readonly ageMs: number;
  /** Maximum number of logs. */
  readonly logs: number;
}

export interface StoredLog {
  readonly folder: string;
  readonly name: KeptLogName;
  readonly file: LogFile;
  readonly summary: LogSummary;
}

export async function filesIn(options: KeptLogOptions): Promise<readonly StoredLog[]> {
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

export const logFile = ({ clock }: KeptLogOptions, folder: string, file: string): LogFile =>
  new LogFile(join(folder, file), () => clock.now());

export const logsIn = async (folder: string): Promise<readonly string[]> =>
  (await namesIn(folder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));

/** Compresses the tails of all logs in a folder. The caller must hold the folder's lock. */
export async function packTails(options: KeptLogOptions, folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const [log = "", ...rest] = name.split(".");
    if (rest.at(-1) !== "tail") continue;
    const file = logFile(options, folder, log);
    await file.begin();
    await file.end();
  }
}

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

/**
 * Writes the name of a log to a JSON file. Keeps a valid existing file, because a failed write on a full disk would
 * destroy it.
 */
export async function writeName(path: string, name: KeptLogName): Promise<void> {
  if ((await readName(path)) === undefined) {
    await writeFile(path, JSON.stringify(name), { mode: 0o600 });
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
