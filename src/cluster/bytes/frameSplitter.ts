import { ByteStore } from "./byteStore.ts";

const headBytes = 4;

/**
 * Cuts a stream of bytes into frames, each with its length in four bytes before it. A frame is valid only
 * during the call of `onFrame`: its memory is used again.
 */
export class FrameSplitter {
  readonly #longest: number;
  readonly #begun: ByteStore;
  #headRead = 0;
  #length = 0;

  constructor(longest: number) {
    this.#longest = longest;
    this.#begun = new ByteStore(longest);
  }

  /** True as soon as a frame has begun that is longer than the limit; nothing that follows can be read. */
  get isTooLong(): boolean {
    return this.#length > this.#longest;
  }

  /** True in the middle of a frame. */
  get hasBegun(): boolean {
    return this.#headRead > 0;
  }

  push(chunk: Buffer, onFrame: (frame: Buffer) => void): void {
    let at = 0;
    while (at < chunk.length) {
      for (; this.#headRead < headBytes && at < chunk.length; at += 1) {
        this.#length = this.#length * 256 + (chunk[at] ?? 0);
        this.#headRead += 1;
      }
      if (this.#headRead < headBytes || this.isTooLong) return;
      const missing = this.#length - this.#begun.length;
      const piece = chunk.subarray(at, at + missing);
      at += piece.length;
      if (piece.length < missing || this.#begun.length > 0) this.#begun.add(piece);
      if (piece.length < missing) return;
      this.#headRead = 0;
      this.#length = 0;
      onFrame(this.#begun.length > 0 ? this.#begun.take() : piece);
    }
  }
}
