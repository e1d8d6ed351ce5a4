import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { parseJson } from "../../base/json.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { RunStore } from "../../engine/ports/runs.ts";
import { replaceFile } from "../../io/replaceFile.ts";
import { systemCode } from "../../io/systemCode.ts";
import { decodeRun, decodeTimeline, type RunRecord } from "../../spark/history/runRecord.ts";
import { unlessGone } from "../../io/unlessGone.ts";

interface RunLimits {
  readonly runs: number;
  readonly bytes: number;
  readonly ageMs: number;
}

export const runLimits: RunLimits = {
  runs: 500,
  bytes: 100 << 20,
  ageMs: 90 * 24 * 3_600_000,
};

/** Maximum size of a record in bytes; larger ones are ignored. A record with a long conf has 50 KB. */
const maxRecordBytes = 4 << 20;
const maxTimelineBytes = 64 << 20;

interface StoredRun {
  readonly record: RunRecord;
  readonly bytes: number;
}

/**
 * Stores runs in a folder: a JSON file for each record, and a compressed one for its timeline. Files are replaced
 * atomically. If two windows change the same record, the last write wins.
 */
export function keptRuns(folder: string, clock: Clock, limits: RunLimits = runLimits): RunStore {
  let work: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(next: () => Promise<T>): Promise<T> => {
    const done = work.then(next);
    work = done.catch(() => undefined);
    return done;
  };
  const pathOf = (id: string, ending: string): string => join(folder, `${nameOf(id)}.${ending}`);
  const write = async (path: string, bytes: string | Uint8Array): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(path, (temporary) => writeFile(temporary, bytes, { mode: 0o600 }));
  };
  const read = async (id: string): Promise<RunRecord | undefined> =>
    (await storedIn(pathOf(id, "json")))?.record;
  const removeFiles = async (id: string): Promise<void> => {
    for (const ending of ["json", "timeline.gz"]) await rm(pathOf(id, ending), { force: true });
  };
  const listAll = async (): Promise<readonly StoredRun[]> => {
    const names = (await unlessGone(readdir(folder))) ?? [];
    const all: StoredRun[] = [];
    for (const name of names.filter((one) => one.endsWith(".json"))) {
      const stored = await storedIn(join(folder, name));
      if (stored === undefined || `${nameOf(stored.record.id)}.json` !== name) continue;
      const timeline = await unlessGone(stat(pathOf(stored.record.id, "timeline.gz")));
      all.push({ ...stored, bytes: stored.bytes + (timeline?.size ?? 0) });
    }
    return all.sort((a, b) => b.record.startedAt - a.record.startedAt);
  };
  /** Removes the oldest runs that exceed the limits. Returns the others, newest first. */
  const prune = async (): Promise<readonly StoredRun[]> => {
    const kept: StoredRun[] = [];
    let bytes = 0;
    for (const run of await listAll()) {
      bytes += run.bytes;
      const isOld = clock.now() - run.record.startedAt > limits.ageMs;
      const isSurplus = kept.length >= limits.runs || (bytes > limits.bytes && kept.length > 0);
      if (isOld || isSurplus) await removeFiles(run.record.id);
      else kept.push(run);
    }
    return kept;
  };
  return {
    list: () => inTurn(async () => (await prune()).map(({ record }) => record)),
    timeline: (id) =>
      inTurn(async () => {
        const packed = await unlessGone(readFile(pathOf(id, "timeline.gz")));
        return packed && decodeTimeline(await unpacked(packed));
      }),
    update: (id, change, timeline) =>
      inTurn(async () => {
        const before = await read(id);
        const after = change(before);
        if (after === undefined) return;
        if (timeline !== undefined) {
          await write(pathOf(id, "timeline.gz"), await promisify(gzip)(JSON.stringify(timeline)));
        }
        await write(pathOf(id, "json"), `${JSON.stringify(after)}\n`);
        if (before === undefined) await prune();
      }),
    remove: (ids) =>
      inTurn(async () => {
        for (const id of ids) await removeFiles(id);
      }),
  };
}

/** Hashes the id to a file name, because ids from clusters must never become paths. */
const nameOf = (id: string): string => createHash("sha256").update(id).digest("hex").slice(0, 24);

async function storedIn(path: string): Promise<StoredRun | undefined> {
  const found = await unlessGone(stat(path));
  if (found === undefined || found.size > maxRecordBytes) return undefined;
  const text = await unlessGone(readFile(path, "utf8"));
  const json = text === undefined ? undefined : parseJson(text);
  const record = json?.ok === true ? decodeRun(json.value) : undefined;
  return record && { record, bytes: found.size };
}

/** Returns the decompressed JSON; undefined for a damaged or too large file. */
async function unpacked(packed: Uint8Array): Promise<unknown> {
  try {
    const bytes = await promisify(gunzip)(packed, { maxOutputLength: maxTimelineBytes });
    const json = parseJson(bytes.toString("utf8"));
    return json.ok ? json.value : undefined;
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (code.startsWith("Z_") || code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw error;
  }
}
