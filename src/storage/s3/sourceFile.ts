import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { throwIfAborted } from "../../io/abort.ts";
import type { ReportBytes } from "../uploadProgress.ts";

const chunkBytes = 1024 * 1024;

/** An open file to upload. Reads stop at the size that the file had when it was opened. The caller must close it. */
export class SourceFile {
  readonly size: number;
  readonly #file: FileHandle;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** Opens a file. Throws a system error if the file cannot be opened. */
  static async open(path: string): Promise<SourceFile> {
    const file = await open(path, "r");
    return new SourceFile(file, (await file.stat()).size);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Returns the SHA-256 of the file in hex. */
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

  /** Returns a reader of the file's parts, which fills the caller's buffers. */
  parts(partBytes: number): PartReader {
    return new PartReader(this.size, partBytes, (buffer, at) => this.#read(buffer, at));
  }

  /** True if the size changed since the file was opened. */
  async hasOtherSize(): Promise<boolean> {
    return (await this.#file.stat()).size !== this.size;
  }

  // Fills the buffer completely, except at the end of the file.
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

interface FilePart {
  /** Starts at 1. */
  readonly number: number;
  /** A view of the caller's buffer. */
  readonly bytes: Buffer;
}

/** Reads the parts of a file sequentially, also for concurrent callers, and hashes them in order. */
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

  /** Reads the next part into `buffer`; undefined after the last part. */
  take(buffer: Buffer): Promise<FilePart | undefined> {
    const taken = this.#last.then(() => this.#takeNext(buffer));
    this.#last = taken;
    return taken;
  }

  /** Returns the SHA-256 of all parts read, in hex. Call once, after the last part. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  async #takeNext(buffer: Buffer): Promise<FilePart | undefined> {
    const at = this.#given * this.#partBytes;
    if (at >= this.#size) return undefined;
    this.#given += 1;
    const number = this.#given;
    const bytes = await this.#read(buffer, at);
    this.#hash.update(bytes);
    return { number, bytes };
  }
}
