import { ByteStore } from "./byteStore.ts";

const headBytes = 4;

/**
 * Splits a byte stream into frames. A header with the frame's length (4 bytes, big-endian) precedes each frame. A frame
 * is valid only during the call of `onFrame`, because its memory is reused.
 */
export class FrameSplitter {
  readonly #maxBytes: number;
  readonly #begun: ByteStore;
  #headRead = 0;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#begun = new ByteStore(maxBytes);
  }

  /** True once a header announces a frame above the limit. The rest of the stream cannot be read then. */
  get isTooLong(): boolean {
    return this.#length > this.#maxBytes;
  }

  /** True if the last frame or its header is incomplete. */
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
