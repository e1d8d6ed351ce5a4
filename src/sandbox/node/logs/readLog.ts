import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { LogQuery } from "../node.ts";
import { logFilesIn, type LogWriter } from "./logFiles.ts";

const chunkBytes = 256 * 2 ** 10;
const newline = 10;

/**
 * Yields a log in the format of the pod log API. With `follow`, waits for new lines until `writer` is closed. Rejects
 * if `signal` aborts.
 */
export async function* readLog(
  folder: string,
  query: Pick<LogQuery, "follow" | "tailLines" | "since" | "timestamps" | "limitBytes">,
  writer: LogWriter | undefined,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const shape = shaper(query);
  const start = await tailStart(folder, query.tailLines);
  let left = query.limitBytes ?? Infinity;
  for await (const lines of follow(folder, start, query.follow ? writer : undefined, signal)) {
    const bytes = shape(lines);
    if (bytes.length === 0) continue;
    yield bytes.length > left ? bytes.subarray(0, left) : bytes;
    left -= bytes.length;
    if (left <= 0) return;
  }
}

interface Place {
  readonly file: string;
  readonly offset: number;
}

/** Yields chunks of complete lines, in the CRI format of the log files. Waits for new lines while `writer` is open. */
async function* follow(
  folder: string,
  start: Place | undefined,
  writer: LogWriter | undefined,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  let file = start?.file ?? "";
  let offset = start?.offset ?? 0;
  for (;;) {
    // Subscribe before reading, so that no change is missed.
    const wasOpen = writer?.isOpen === true;
    const next = writer === undefined || !wasOpen ? undefined : changeOf(writer, signal);
    // An abort during the read rejects this promise before it is awaited.
    next?.catch(() => undefined);
    for (const name of logFilesIn(folder).filter((one) => one >= file)) {
      if (name !== file) offset = 0;
      file = name;
      for await (const lines of wholeLines(join(folder, name), offset)) {
        signal.throwIfAborted();
        yield lines;
        offset += lines.length;
      }
    }
    if (next === undefined) return;
    await next;
  }
}

function changeOf(writer: LogWriter, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      heard.dispose();
      signal.removeEventListener("abort", abort);
    };
    const abort = (): void => {
      end();
      reject(signal.reason as Error);
    };
    const heard = writer.onDidChange(() => {
      end();
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}

async function* wholeLines(path: string, from: number): AsyncIterable<Buffer> {
  const file = await openIfThere(path);
  if (file === undefined) return;
  try {
    let offset = from;
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.alloc(chunkBytes);
      const { bytesRead } = await file.read(chunk, 0, chunkBytes, offset);
      if (bytesRead === 0) return;
      offset += bytesRead;
      const all = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      const end = all.lastIndexOf(newline) + 1;
      if (end > 0) yield all.subarray(0, end);
      rest = all.subarray(end);
    }
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    // A rotation deleted the file since the folder was listed.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the position of the last `count` lines; undefined for the start of the log. */
async function tailStart(folder: string, count: number | undefined): Promise<Place | undefined> {
  if (count === undefined) return undefined;
  let missing = count;
  for (const file of [...logFilesIn(folder)].reverse()) {
    const starts: number[] = [];
    let offset = 0;
    for await (const lines of wholeLines(join(folder, file), 0)) {
      for (const [start, line] of splitLines(lines))
        if (isEnd(line)) starts.push(offset + start + line.length + 1);
      offset += lines.length;
    }
    // `starts` contains the offset after each complete line. The tail begins at the offset after the last skipped line.
    if (starts.length > missing) return { file, offset: starts[starts.length - missing - 1] ?? 0 };
    if (starts.length === missing && missing === 0) return { file, offset };
    missing -= starts.length;
  }
  return undefined;
}

/** True for the last part of a split line, or an unsplit line. */
const isEnd = (line: Buffer): boolean => parts(line)?.tag === "F";

function* splitLines(lines: Buffer): Iterable<readonly [number, Buffer]> {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(newline, start);
    yield [start, lines.subarray(start, end)];
    start = end + 1;
  }
}

interface LineParts {
  readonly time: string;
  readonly tag: string;
  readonly text: Buffer;
}

// Format: `2026-01-02T03:04:05.123456789Z stdout F text`
function parts(line: Buffer): LineParts | undefined {
  const first = line.indexOf(" ");
  const second = line.indexOf(" ", first + 1);
  const third = line.indexOf(" ", second + 1);
  if (first === -1 || second === -1 || third === -1) return undefined;
  return {
    time: line.toString("latin1", 0, first),
    tag: line.toString("latin1", second + 1, third),
    text: line.subarray(third + 1),
  };
}

/**
 * Returns a function that converts lines of the file to lines for the client. It joins split lines, so its calls must
 * be in the order of the log.
 */
function shaper({
  since,
  timestamps,
}: Pick<LogQuery, "since" | "timestamps">): (lines: Buffer) => Buffer {
  let isInside = false;
  return (lines) => {
    const shaped: Buffer[] = [];
    for (const [, line] of splitLines(lines)) {
      const read = parts(line);
      if (read === undefined) continue;
      const { time, tag, text } = read;
      if (since !== undefined && Date.parse(time) < since) continue;
      if (timestamps && !isInside) shaped.push(Buffer.from(`${time} `));
      shaped.push(text);
      isInside = tag === "P";
      if (!isInside) shaped.push(Buffer.of(newline));
    }
    return Buffer.concat(shaped);
  };
}
