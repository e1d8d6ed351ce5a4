import type { PodEnding } from "../../spark/pods/podSnapshot.ts";

// A subscriber with this backlog does not need the oldest ends.
const maxKept = 65_536;

/**
 * Endings of pods that some subscriber has not received, each with its change number. Empty if all
 * subscribers are current. Bounded: drops the oldest.
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

  /** Finds the first entry after a change by binary search, because change numbers increase. */
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
