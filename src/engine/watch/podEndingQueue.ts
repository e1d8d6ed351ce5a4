import type { PodEnding } from "../../spark/pods/podSnapshot.ts";

// Number of endings to keep once the queue is longer than twice this number. A subscriber that lags so far behind does
// not need the oldest endings.
const maxKept = 65_536;

/**
 * Pod endings that at least one subscriber has not received, each with its change number. Empty if all subscribers are
 * up to date. Bounded: drops the oldest endings.
 */
export class PodEndingQueue {
  #entries: { readonly seq: number; readonly ending: PodEnding }[] = [];

  add(seq: number, endings: readonly PodEnding[]): void {
    for (const ending of endings) this.#entries.push({ seq, ending });
    if (this.#entries.length > 2 * maxKept) this.#entries = this.#entries.slice(-maxKept);
  }

  after(seq: number): readonly PodEnding[] {
    const from = this.#indexAfter(seq);
    return this.#entries.slice(from).map(({ ending }) => ending);
  }

  forgetTo(seq: number): void {
    const from = this.#indexAfter(seq);
    if (from > 0) this.#entries = this.#entries.slice(from);
  }

  /**
   * Returns the index of the first entry after a change. Uses a binary search, because the change numbers are sorted.
   */
  #indexAfter(seq: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.seq ?? Infinity) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
