/** Time between two yields: well below the 16 ms of a UI frame, because a step may take as long again. */
const sliceMs = 4;

/** Yields to the event loop in work that consists of short steps. */
export class WorkSlices {
  #since = performance.now();

  /** Call it between two steps. Resolves at once unless the slice is over. */
  async rest(): Promise<void> {
    if (performance.now() - this.#since < sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
