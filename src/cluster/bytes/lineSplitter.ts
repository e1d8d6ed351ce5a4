import { ByteStore } from "./byteStore.ts";

const lineFeed = 0x0a;

/** `cut` is true if the line exceeded the limit and only its start is passed. */
type OnLine = (line: Buffer, cut: boolean) => void;

/**
 * Splits a byte stream at line feeds before decoding, so that chunk boundaries do not matter. A line is valid only
 * during the call of `onLine`, because its memory is reused.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  /** The start of a line that has no line feed yet. */
  readonly #begun: ByteStore;
  #hasBegun = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#begun = new ByteStore(maxBytes);
  }

  /** True once the incomplete line exceeds the limit. */
  get isTooLong(): boolean {
    return this.#begun.hasOverflowed;
  }

  /** True if the last line is incomplete: it has no line feed yet. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  push(chunk: Buffer, onLine: OnLine): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end === -1) break;
      if (!this.#hasBegun && end - start <= this.#maxBytes) {
        onLine(chunk.subarray(start, end), false);
      } else {
        this.#begin(chunk.subarray(start, end));
        this.end(onLine);
      }
      start = end + 1;
    }
    if (start < chunk.length) this.#begin(chunk.subarray(start));
  }

  /** Passes on the incomplete last line, if there is one. */
  end(onLine: OnLine): void {
    if (!this.#hasBegun) return;
    this.#hasBegun = false;
    const cut = this.#begun.hasOverflowed;
    onLine(this.#begun.take(), cut);
  }

  #begin(piece: Buffer): void {
    this.#hasBegun = true;
    this.#begun.add(piece);
  }
}
