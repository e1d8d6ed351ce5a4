// A container's log on disk, in the CRI format: lines of `TIME STREAM F|P text`. The writer rotates files at 10 MiB and
// keeps the newest five.
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Emitter, type Event } from "../../../base/emitter.ts";
import type { Disposable } from "../../../base/disposable.ts";

type LogStream = "stdout" | "stderr";

/** Defaults of a kubelet: containerLogMaxSize, containerLogMaxFiles. */
const bounds = { bytes: 10 * 2 ** 20, files: 5 };
/** Maximum bytes of a line in the log. Like containerd, the writer splits longer lines. */
const maxPartBytes = 16 * 2 ** 10;
const newline = 10;

/** Returns nanoseconds since the epoch, strictly increasing. */
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

  /** Fires after lines were written to the file, and when the log is closed. */
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
      const isWhole = end !== -1 && end <= maxPartBytes;
      if (!isWhole && rest.length <= maxPartBytes) break;
      const length = isWhole ? end : maxPartBytes;
      lines.push(this.#line(stream, isWhole ? "F" : "P", rest.subarray(0, length)));
      rest = rest.subarray(isWhole ? length + 1 : length);
    }
    // Copy the rest, so that it does not keep the whole chunk alive.
    this.#rest[stream] = rest.length === 0 ? empty : Buffer.from(rest);
    this.#append(lines);
  }

  /** Writes incomplete lines with the tag P, and closes the log. */
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
    // Open the file for each write, so that thousands of quiet containers use no file descriptors.
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

/** Returns the names of a log's files, oldest first; empty if the folder does not exist. */
export function logFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function rfc3339(nanoseconds: bigint): string {
  const seconds = new Date(Number(nanoseconds / 1_000_000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(nanoseconds % 1_000_000_000n).padStart(9, "0")}Z`;
}

/** Returns a nanosecond clock based on a millisecond clock. No two calls return the same time. */
export function nanosecondsOf(now: () => number): Nanoseconds {
  let last = 0n;
  return () => {
    const present = BigInt(Math.floor(now())) * 1_000_000n;
    last = present > last ? present : last + 1_000n;
    return last;
  };
}
