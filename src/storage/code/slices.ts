/** Time in ms between two yields: well below the 16 ms of a UI frame, because a step may take as long again. */
const sliceMs = 4;

/** Yields to the event loop during work that consists of short steps. */
export class WorkSlices {
  #since = performance.now();

  /** Call this between two steps. Yields only if 4 ms have passed since the last yield. */
  async rest(): Promise<void> {
    if (performance.now() - this.#since < sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
