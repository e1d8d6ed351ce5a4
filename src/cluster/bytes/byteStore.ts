const smallest = 4096;
// `take` releases a buffer larger than this (bytes), so that one large piece does not occupy memory forever.
const largestKept = 1 << 20;

/**
 * Collects bytes up to a limit. The buffer doubles when full, so that adding single bytes has amortized constant cost.
 */
export class ByteStore {
  readonly #limit: number;
  #memory = Buffer.alloc(0);
  #length = 0;
  #overflowed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  /** True if more bytes were added than the limit allows; the excess was dropped. */
  get hasOverflowed(): boolean {
    return this.#overflowed;
  }

  add(piece: Buffer): void {
    const room = this.#limit - this.#length;
    if (piece.length > room) this.#overflowed = true;
    const kept = piece.length > room ? piece.subarray(0, room) : piece;
    const needed = this.#length + kept.length;
    if (needed > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#memory.length, smallest));
      this.#memory.copy(larger, 0, 0, this.#length);
      this.#memory = larger;
    }
    kept.copy(this.#memory, this.#length);
    this.#length = needed;
  }

  /** Returns the last `count` bytes as Latin-1 text, one character per byte. */
  latestText(count: number): string {
    return this.#memory.toString("latin1", Math.max(0, this.#length - count), this.#length);
  }

  /** Empties the store and returns its bytes, valid until the next `add`. */
  take(): Buffer {
    const bytes = this.#memory.subarray(0, this.#length);
    this.#length = 0;
    this.#overflowed = false;
    if (this.#memory.length > largestKept) this.#memory = Buffer.alloc(0);
    return bytes;
  }
}
