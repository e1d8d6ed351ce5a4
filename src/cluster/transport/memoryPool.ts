const smallest = 4 << 10;
/** More than this is not kept for whoever needs memory next. */
const mostKept = 2 << 20;

/**
 * Memory that is needed for a moment, again and again, and handed on from one to the next: what is made anew each time
 * stays until the garbage is collected, and external memory hurries that.
 */
export class MemoryPool {
  /** By length. */
  readonly #free = new Map<number, Buffer[]>();
  #kept = 0;

  /** Of that many bytes or more; they hold anything. */
  take(least: number): Buffer {
    const length = 2 ** Math.ceil(Math.log2(Math.max(least, smallest)));
    const free = this.#free.get(length)?.pop();
    if (free === undefined) return Buffer.allocUnsafeSlow(length);
    this.#kept -= length;
    return free;
  }

  /** Whoever gives it back uses it no more. */
  giveBack(memory: Buffer): void {
    const { length } = memory;
    if (length === 0 || this.#kept + length > mostKept) return;
    this.#kept += length;
    const free = this.#free.get(length);
    if (free === undefined) this.#free.set(length, [memory]);
    else free.push(memory);
  }
}
