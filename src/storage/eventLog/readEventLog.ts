import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline, type Readable } from "node:stream";
import * as zlib from "node:zlib";
import { err, ok, type Result } from "../../base/result.ts";
import type { EventLogProblem } from "../../engine/ports/eventLogs.ts";
import type { EventLog } from "../../spark/eventLog/eventLog.ts";
import { EventLogReader } from "../../spark/eventLog/eventLogReader.ts";
import { codecOf, orderLogFiles, type LogCodec } from "../../spark/eventLog/orderLogFiles.ts";

/**
 * Reads an event log from a file, or from the folder of a rolling log. The log of a running driver may end inside a
 * frame or a line; that part is dropped, and the log is marked as torn. Yields to the event loop between chunks.
 */
export async function readEventLog(
  path: string,
  signal: AbortSignal,
): Promise<Result<EventLog, EventLogProblem>> {
  const files = await filesOf(path);
  if (files.length === 0) return err({ kind: "missing" });
  const reader = new EventLogReader();
  let budget = maxBytes;
  for (const file of files) {
    const before = budget;
    const stream = plainStream(file);
    if (!stream.ok) return stream;
    budget = await readLines(stream.value, reader, budget, signal);
    // A compressed frame that is cut off in its first block yields neither data nor an error, so mark the log as torn
    // here.
    if (budget === before && (await stat(file)).size > 0) reader.tear();
  }
  const log = reader.facts();
  const hasApplication = log.jobs.length > 0 || log.application.id !== undefined;
  if (log.isTorn) return hasApplication ? ok(log) : err({ kind: "torn" });
  return hasApplication || log.sparkVersion !== undefined ? ok(log) : err({ kind: "notEvents" });
}

/**
 * Maximum size in bytes of the decompressed JSON of all files. The rest is ignored. A log of 100,000 tasks has 300 MB.
 */
const maxBytes = 2 ** 32;
/** Maximum length of a line in bytes; longer lines are skipped. A query plan may have several megabytes. */
const maxLine = 64 << 20;

async function filesOf(path: string): Promise<readonly string[]> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return found.isFile() ? [path] : [];
    return orderLogFiles(await readdir(path)).map((name) => join(path, name));
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

function plainStream(file: string): Result<Readable, EventLogProblem> {
  const codec = codecOf(basename(file));
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 });
  if (codec === undefined) return ok(bytes);
  const plain = inflater(codec);
  if (plain === undefined) {
    bytes.destroy();
    return err({ kind: "codec", codec });
  }
  // Ignore errors here, because they also reach the reader of `plain`.
  pipeline(bytes, plain, () => undefined);
  return ok(plain);
}

/**
 * Returns a decompression stream; undefined for an unsupported codec. If the last frame is torn, the stream yields the
 * bytes before the cut.
 */
function inflater(codec: LogCodec): (Readable & NodeJS.WritableStream) | undefined {
  if (codec === "gzip") return zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH });
  // Zstandard is absent before Node 22.15.
  if (codec !== "zstd" || !("createZstdDecompress" in zlib)) return undefined;
  return zlib.createZstdDecompress({ finishFlush: zlib.constants.ZSTD_e_flush });
}

/** Passes the lines of the stream to the reader. Returns the remaining budget in bytes. */
async function readLines(
  stream: Readable,
  reader: EventLogReader,
  budget: number,
  signal: AbortSignal,
): Promise<number> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let left = budget;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      left -= chunk.length;
      if (left <= 0) break;
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        const line = Buffer.concat([...rest, chunk.subarray(start, end)]);
        if (restBytes <= maxLine) reader.takeLine(line.toString());
        [rest, restBytes, start] = [[], 0, end + 1];
      }
      const tail = chunk.subarray(start);
      restBytes += tail.length;
      if (restBytes <= maxLine) rest.push(tail);
      else rest = [];
      await new Promise((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    // A corrupt frame ends the log. The lines before it are kept.
    if (!isOfZlib(error)) throw error;
    reader.tear();
  }
  if (restBytes > 0 && restBytes <= maxLine) reader.takeRest(Buffer.concat(rest).toString());
  return left;
}

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(?:Z_|ERR_ZLIB|ZSTD_)/.test(String(error.code));
