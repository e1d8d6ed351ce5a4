/** Pseudorandom number generator. Its numbers depend only on the seeds, so that inputs are reproducible. */
export class FuzzRandom {
  #state: number;

  constructor(...seeds: readonly number[]) {
    this.#state = seeds.reduce((state, seed) => mixed(state ^ seed), 0x9e3779b9);
  }

  /** Returns an integer from 0 (inclusive) to `end` (exclusive); 0 if the range is empty. */
  below(end: number): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return end <= 0 ? 0 : mixed(this.#state) % Math.floor(end);
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("There is nothing to pick from.");
    return item;
  }
}

// The finalizer of MurmurHash3.
function mixed(value: number): number {
  let mix = value ^ (value >>> 16);
  mix = Math.imul(mix, 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
