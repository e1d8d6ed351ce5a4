import type { PodEnding } from "../spark/pods/podSnapshot.ts";

// Who is so far behind has other worries than the ends of pods that are long gone.
const mostKept = 65_536;

/**
 * The ends of pods that some subscriber has not been told of yet, with the number of the change that brought
 * each. Empty where everybody is up to date, and bounded where somebody is not: the oldest are given up.
 */
export class EndingLog {
  #entries: { readonly seq: number; readonly ending: PodEnding }[] = [];

  add(seq: number, endings: readonly PodEnding[]): void {
    for (const ending of endings) this.#entries.push({ seq, ending });
    if (this.#entries.length > 2 * mostKept) this.#entries = this.#entries.slice(-mostKept);
  }

  after(seq: number): readonly PodEnding[] {
    const from = this.#indexAfter(seq);
    return this.#entries.slice(from).map(({ ending }) => ending);
  }

  forgetTo(seq: number): void {
    const from = this.#indexAfter(seq);
    if (from > 0) this.#entries = this.#entries.slice(from);
  }

  /** Each change has a higher number than the one before, so the place is found by halving. */
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
