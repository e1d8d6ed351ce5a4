import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type LogLine, parseLogLine } from "../../spark/logs/logLine.ts";
import { replaceFile } from "../../io/replaceFile.ts";
import { systemCode } from "../../io/systemCode.ts";
import { unlessGone } from "../../io/unlessGone.ts";

/** An immutable, compressed part of a log, stored in its own file. */
interface Piece {
  readonly number: number;
  readonly bytes: number;
  readonly lines: number;
  readonly first: string;
  readonly last: string;
  /** Write time, epoch ms by this machine's clock. */
  readonly at: number;
}

export interface LogSummary {
  readonly lines: number;
  /** Size on disk of all files of the log. */
  readonly bytes: number;
  readonly first: string;
  readonly last: string;
  /** Time of the last write, epoch ms. */
  readonly at: number;
  readonly isCutOff: boolean;
  /** Oldest first. */
  readonly slices: readonly LogSlice[];
}

/** The smallest part of a log that can be dropped: one piece. The last slice, "end", contains all remaining files. */
export interface LogSlice {
  readonly through: number | "end";
  readonly bytes: number;
  readonly at: number;
}

interface Index {
  readonly pieces: readonly Piece[];
  /** Number of the next piece. */
  readonly next: number;
  readonly isCutOff: boolean;
}

// Smaller pieces compress badly; larger ones take noticeably long to read.
const pieceCharacters = 1 << 18;

const mode = 0o600;
const zip = promisify(gzip);
const unzip = promisify(gunzip);

/**
 * The log of one container: compressed pieces, an index with one line per piece, and a plain-text tail. When the tail
 * is long enough, it is compressed into a piece with the same number. The index lists only complete pieces, so it is
 * authoritative after a crash. Logs are cut by whole pieces: a concurrent reader gets a piece's old content or finds it
 * deleted.
 */
export class LogFile {
  readonly #path: string;
  readonly #indexPath: string;
  readonly #now: () => number;
  /** Writer state, valid after `begin`. */
  #next = 1;
  #tailCharacters = 0;

  /** `path`: the common prefix of all files of the log. `now`: epoch ms. */
  constructor(path: string, now: () => number) {
    this.#path = path;
    this.#indexPath = `${path}.index`;
    this.#now = now;
  }

  /** Returns the line count, size, timestamps and slices of the log; undefined if it has no lines. */
  async summary(): Promise<LogSummary | undefined> {
    const { pieces, next, isCutOff } = await this.#index();
    const tailPath = this.#tailPath(next);
    const tail = aboutLines(linesOf((await textOf(tailPath)) ?? ""));
    const parts = tail.lines === 0 ? pieces : [...pieces, tail];
    if (parts.length === 0) return undefined;
    const others = [tailPath, this.#indexPath, `${this.#path}.json`];
    const stats = await Promise.all(others.map((path) => unlessGone(stat(path))));
    const at = Math.max(pieces.at(-1)?.at ?? 0, stats[0]?.mtimeMs ?? 0);
    const rest = sum(stats, (one) => one?.size ?? 0);
    return {
      lines: sum(parts, ({ lines }) => lines),
      bytes: sum(pieces, ({ bytes }) => bytes) + rest,
      first: parts.find(({ first }) => first !== "")?.first ?? "",
      last: parts.findLast(({ last }) => last !== "")?.last ?? "",
      at,
      isCutOff,
      slices: slicesOf(pieces, tail.lines > 0, { bytes: rest, at }),
    };
  }

  /** Yields batches of lines, oldest first. Yields undefined for each piece that is deleted or corrupt. */
  async *read(): AsyncGenerator<readonly LogLine[] | undefined, void, undefined> {
    const { pieces, next } = await this.#index();
    for (const { number } of pieces) yield linesIn(await this.#readPiece(number));
    const tail = await textOf(this.#tailPath(next));
    // If the tail is missing, it was compressed after the index was read, or the log never had one.
    const became = tail === undefined && (await this.#index()).next > next;
    if (tail !== undefined) yield linesOf(tail);
    else if (became) yield linesIn(await this.#readPiece(next));
  }

  /** Returns the lines of the last piece and of the tail. */
  async newest(): Promise<readonly LogLine[]> {
    const { pieces, next } = await this.#index();
    const last = pieces.at(-1);
    const piece = last && (await this.#readPiece(last.number));
    const tail = await textOf(this.#tailPath(next));
    return [...linesOf(piece ?? ""), ...linesOf(tail ?? "")];
  }

  /** Must be called before writing. Removes partial lines and orphaned files that a crashed window left behind. */
  async begin(): Promise<void> {
    const index = await textOf(this.#indexPath);
    if (index !== undefined) await cutUnfinished(this.#indexPath, index);
    const { pieces, next } = await this.#index();
    const tailPath = this.#tailPath(next);
    const counts = new Set([tailPath, this.#indexPath, `${this.#path}.json`]);
    for (const { number } of pieces) counts.add(this.#piecePath(number));
    for (const path of await this.#paths()) if (!counts.has(path)) await rm(path, { force: true });
    const tail = await textOf(tailPath);
    this.#next = next;
    this.#tailCharacters = tail === undefined ? 0 : await cutUnfinished(tailPath, tail);
  }

  /**
   * Appends lines to the tail, and compresses it once it is large. Returns the amount written to disk: characters
   * without compression, otherwise compressed bytes.
   */
  async append(lines: readonly LogLine[]): Promise<number> {
    const text = lines.map(({ timestamp, text: said }) => `${timestamp} ${said}\n`).join("");
    if (this.#tailCharacters + text.length < pieceCharacters) {
      await appendFile(this.#tailPath(this.#next), text, { mode });
      this.#tailCharacters += text.length;
      return text.length;
    }
    const held = this.#tailCharacters > 0 ? await textOf(this.#tailPath(this.#next)) : undefined;
    return this.#pack((held ?? "") + text);
  }

  /** Compresses the tail. Later appends start a new tail. */
  async end(): Promise<void> {
    if (this.#tailCharacters === 0) return;
    const tail = await textOf(this.#tailPath(this.#next));
    if (tail !== undefined) await this.#pack(tail);
  }

  /** Deletes the slice and all older ones. */
  async drop({ through }: LogSlice): Promise<void> {
    if (through === "end") {
      for (const path of await this.#paths()) await rm(path, { force: true });
      return;
    }
    const { pieces, next } = await this.#index();
    const dropped = pieces.filter(({ number }) => number <= through);
    const kept = pieces.filter(({ number }) => number > through);
    if (dropped.length === 0) return;
    const lines = [{ cutOff: next }, ...kept].map((one) => `${JSON.stringify(one)}\n`);
    await replaceFile(this.#indexPath, (temporary) =>
      writeFile(temporary, lines.join(""), { mode }),
    );
    for (const { number } of dropped) await rm(this.#piecePath(number), { force: true });
  }

  async #pack(text: string): Promise<number> {
    const number = this.#next;
    const packed = await zip(text);
    await writeFile(this.#piecePath(number), packed, { mode });
    const piece: Piece = {
      ...{ number, bytes: packed.length },
      ...aboutLines(linesOf(text)),
      at: this.#now(),
    };
    await appendFile(this.#indexPath, `${JSON.stringify(piece)}\n`, { mode });
    this.#next += 1;
    this.#tailCharacters = 0;
    await rm(this.#tailPath(number), { force: true });
    return packed.length;
  }

  /** Returns the text of a piece; undefined if the file is deleted or corrupt. */
  async #readPiece(number: number): Promise<string | undefined> {
    const packed = await unlessGone(readFile(this.#piecePath(number)));
    if (packed === undefined) return undefined;
    try {
      return (await unzip(packed)).toString("utf8");
    } catch (error) {
      if (systemCode(error)?.startsWith("Z_") === true) return undefined;
      throw error;
    }
  }

  async #index(): Promise<Index> {
    const text = (await textOf(this.#indexPath)) ?? "";
    const records = text.split("\n").slice(0, -1).map(recordOf);
    const pieces = records.filter(isPiece);
    const cutOff = records.find(isCutOff);
    const next = Math.max(cutOff?.cutOff ?? 1, (pieces.at(-1)?.number ?? 0) + 1);
    return { pieces, next, isCutOff: cutOff !== undefined };
  }

  async #paths(): Promise<readonly string[]> {
    const folder = dirname(this.#path);
    const names = (await unlessGone(readdir(folder))) ?? [];
    return names
      .filter((name) => name.startsWith(`${basename(this.#path)}.`))
      .map((name) => join(folder, name));
  }

  #piecePath(number: number): string {
    return `${this.#path}.${number}.gz`;
  }

  #tailPath(number: number): string {
    return `${this.#path}.${number}.tail`;
  }
}

/**
 * Divides a log into slices. Without a tail, the last piece belongs to the "end" slice, because a log without lines
 * must have no files.
 */
function slicesOf(
  pieces: readonly Piece[],
  hasTail: boolean,
  rest: Pick<LogSlice, "bytes" | "at">,
): readonly LogSlice[] {
  const ofPieces = pieces.map(({ number, bytes, at }): LogSlice => ({
    through: number,
    bytes,
    at,
  }));
  const last = hasTail ? undefined : ofPieces.pop();
  return [...ofPieces, { through: "end", bytes: rest.bytes + (last?.bytes ?? 0), at: rest.at }];
}

/** Truncates an incomplete last line. Returns the remaining number of characters. */
async function cutUnfinished(path: string, text: string): Promise<number> {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole !== text) await truncate(path, Buffer.byteLength(whole));
  return whole.length;
}

function recordOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isCutOff = (read: unknown): read is { readonly cutOff: number } =>
  typeof read === "object" && read !== null && Number.isSafeInteger(Reflect.get(read, "cutOff"));

const isPiece = (read: unknown): read is Piece =>
  typeof read === "object" &&
  read !== null &&
  ["number", "bytes", "lines", "at"].every((field) => Number.isFinite(Reflect.get(read, field))) &&
  ["first", "last"].every((field) => typeof Reflect.get(read, field) === "string");

function aboutLines(lines: readonly LogLine[]): Pick<Piece, "lines" | "first" | "last"> {
  const hasStamp = ({ timestamp }: LogLine): boolean => timestamp !== "";
  return {
    lines: lines.length,
    first: lines.find(hasStamp)?.timestamp ?? "",
    last: lines.findLast(hasStamp)?.timestamp ?? "",
  };
}

const linesIn = (text: string | undefined): readonly LogLine[] | undefined =>
  text === undefined ? undefined : linesOf(text);

const linesOf = (text: string): readonly LogLine[] => text.split("\n").slice(0, -1).map(parseKept);

// A line without a timestamp was written with an empty one, so it starts with the separator.
const parseKept = (line: string): LogLine =>
  line.startsWith(" ") ? { timestamp: "", text: line.slice(1) } : parseLogLine(line);

const textOf = (path: string): Promise<string | undefined> => unlessGone(readFile(path, "utf8"));

const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);
