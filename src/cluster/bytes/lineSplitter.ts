import { ByteStore } from "./byteStore.ts";

const lineFeed = 0x0a;

/** `cut`: the line was longer than the limit, and only its beginning is here. */
export type OnLine = (line: Buffer, cut: boolean) => void;

/**
 * Cuts a stream of bytes at line feeds, before anything is decoded: however the bytes were chunked, the
 * lines are the same. A line is valid only during the call of `onLine`: its memory is used again.
 */
export class LineSplitter {
  readonly #longest: number;
  /** The beginning of a line whose end has not arrived. */
  readonly #begun: ByteStore;
  #hasBegun = false;

  constructor(longest: number) {
    this.#longest = longest;
    this.#begun = new ByteStore(longest);
  }

  /** True as soon as the line that is still arriving is longer than the limit. */
  get isTooLong(): boolean {
    return this.#begun.hasOverflowed;
  }

  /** True if a line has begun whose end has not arrived. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  push(chunk: Buffer, onLine: OnLine): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end === -1) break;
      if (!this.#hasBegun && end - start <= this.#longest) {
        onLine(chunk.subarray(start, end), false);
      } else {
        this.#begin(chunk.subarray(start, end));
        this.end(onLine);
      }
      start = end + 1;
    }
    if (start < chunk.length) this.#begin(chunk.subarray(start));
  }

  /** Hands out what came after the last line feed, if anything did. */
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
