import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { throwIfAborted } from "../abort.ts";
import type { ReportBytes } from "../uploadProgress.ts";

const chunkBytes = 1024 * 1024;

/** The file that is sent, as long as it was when it was opened. */
export class SourceFile {
  readonly size: number;
  readonly #file: FileHandle;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** Throws the system's error if it cannot be opened. */
  static async open(path: string): Promise<SourceFile> {
    const file = await open(path, "r");
    return new SourceFile(file, (await file.stat()).size);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** SHA-256 in hex. */
  async hash(report: ReportBytes, signal: AbortSignal): Promise<string> {
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, this.size));
    for (let at = 0; at < this.size; at += buffer.length) {
      throwIfAborted(signal);
      const chunk = await this.#read(buffer, at);
      hash.update(chunk);
      report(at + chunk.length);
    }
    return hash.digest("hex");
  }

  /** Its bytes in order, into buffers of the reader's own. */
  parts(partBytes: number): PartReader {
    return new PartReader(this.size, partBytes, (buffer, at) => this.#read(buffer, at));
  }

  /** Whether it has become longer or shorter since it was opened. */
  async hasOtherSize(): Promise<boolean> {
    return (await this.#file.stat()).size !== this.size;
  }

  // Less than the buffer holds only at the end of the file.
  async #read(buffer: Buffer, at: number): Promise<Buffer> {
    const wanted = Math.min(buffer.length, this.size - at);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#file.read(buffer, filled, wanted - filled, at + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }
}

export interface Part {
  /** From 1. */
  readonly number: number;
  /** In the buffer that was given. */
  readonly bytes: Buffer;
}

/** Gives out the parts of a file in order, one at a time, and hashes what it gives. */
export class PartReader {
  readonly #size: number;
  readonly #partBytes: number;
  readonly #read: (buffer: Buffer, at: number) => Promise<Buffer>;
  readonly #hash: Hash = createHash("sha256");
  #last: Promise<unknown> = Promise.resolve();
  #given = 0;

  constructor(
    size: number,
    partBytes: number,
    read: (buffer: Buffer, at: number) => Promise<Buffer>,
  ) {
    this.#size = size;
    this.#partBytes = partBytes;
    this.#read = read;
  }

  /** The next part, as long as `buffer`; undefined after the last one. */
  take(buffer: Buffer): Promise<Part | undefined> {
    const taken = this.#last.then(() => this.#takeNext(buffer));
    this.#last = taken;
    return taken;
  }

  /** SHA-256 of all that was given, in hex. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  async #takeNext(buffer: Buffer): Promise<Part | undefined> {
    const at = this.#given * this.#partBytes;
    if (at >= this.#size) return undefined;
    this.#given += 1;
    const number = this.#given;
    const bytes = await this.#read(buffer, at);
    this.#hash.update(bytes);
    return { number, bytes };
  }
}
