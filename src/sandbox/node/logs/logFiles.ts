// A container's log on disk, as a container runtime keeps it: `TIME STREAM F|P text`, a file of at most 10 MiB
// after the other, the five newest of them.
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Emitter, type Event } from "../../../base/emitter.ts";
import type { Disposable } from "../../../base/disposable.ts";

export type LogStream = "stdout" | "stderr";

/** A kubelet's own bounds (containerLogMaxSize, containerLogMaxFiles). */
const bounds = { bytes: 10 * 2 ** 20, files: 5 };
/** containerd writes longer lines in parts. */
const longestPart = 16 * 2 ** 10;
const newline = 10;

/** Nanoseconds since the epoch; each later than the one before. */
export type Nanoseconds = () => bigint;

export class LogWriter implements Disposable {
  readonly #folder: string;
  readonly #now: Nanoseconds;
  readonly #changes = new Emitter<void>(() => undefined);
  readonly #rest: Record<LogStream, Buffer> = { stdout: empty, stderr: empty };
  #index = 0;
  #written = 0;
  #open = true;

  static async open(folder: string, now: Nanoseconds): Promise<LogWriter> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new LogWriter(folder, now);
  }

  private constructor(folder: string, now: Nanoseconds) {
    this.#folder = folder;
    this.#now = now;
  }

  /** There is more, or the end. */
  get onDidChange(): Event<void> {
    return this.#changes.event;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  write(stream: LogStream, chunk: Uint8Array): void {
    if (!this.#open) return;
    let rest = Buffer.concat([this.#rest[stream], chunk]);
    const lines: Buffer[] = [];
    for (;;) {
      const end = rest.indexOf(newline);
      const isWhole = end !== -1 && end <= longestPart;
      if (!isWhole && rest.length <= longestPart) break;
      const length = isWhole ? end : longestPart;
      lines.push(this.#line(stream, isWhole ? "F" : "P", rest.subarray(0, length)));
      rest = rest.subarray(isWhole ? length + 1 : length);
    }
    // A copy, so that a large chunk is not kept for its last bytes.
    this.#rest[stream] = rest.length === 0 ? empty : Buffer.from(rest);
    this.#append(lines);
  }

  /** Closes the log: what had no end of line yet is its last part. */
  dispose(): void {
    if (!this.#open) return;
    const lines = (["stdout", "stderr"] as const).flatMap((stream) => {
      const rest = this.#rest[stream];
      return rest.length === 0 ? [] : [this.#line(stream, "P", rest)];
    });
    this.#append(lines);
    this.#open = false;
    this.#changes.fire();
    this.#changes.dispose();
  }

  #line(stream: LogStream, tag: "F" | "P", text: Uint8Array): Buffer {
    const head = Buffer.from(`${rfc3339(this.#now())} ${stream} ${tag} `);
    return Buffer.concat([head, text, Buffer.of(newline)]);
  }

  #append(lines: readonly Buffer[]): void {
    if (lines.length === 0) return;
    const bytes = Buffer.concat(lines);
    // Opened anew each time: thousands of quiet containers hold no file open.
    appendFileSync(join(this.#folder, fileName(this.#index)), bytes, { mode: 0o600 });
    this.#written += bytes.length;
    if (this.#written >= bounds.bytes) this.#rotate();
    this.#changes.fire();
  }

  #rotate(): void {
    this.#index += 1;
    this.#written = 0;
    const old = this.#index - bounds.files;
    if (old >= 0) rmSync(join(this.#folder, fileName(old)), { force: true });
  }
}

const empty = Buffer.alloc(0);

const fileName = (index: number): string => `${String(index).padStart(6, "0")}.log`;

/** The files of a log, oldest first; none when it is not there (any more). */
export function logFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

export function rfc3339(nanoseconds: bigint): string {
  const seconds = new Date(Number(nanoseconds / 1_000_000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(nanoseconds % 1_000_000_000n).padStart(9, "0")}Z`;
}

/** The clock's time, made finer, so that no two lines bear the same. */
export function nanosecondsOf(now: () => number): Nanoseconds {
  let last = 0n;
  return () => {
    const present = BigInt(Math.floor(now())) * 1_000_000n;
    last = present > last ? present : last + 1_000n;
    return last;
  };
}
