// Functions that yield to the event loop. The engine uses only these, so that each kind of yield has one name.

/**
 * Resolves in a later iteration of the event loop, after about a millisecond, so that pending timers and I/O can run.
 */
export const nextEventLoopTurn = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 0));

/** Resolves after pending I/O, without the delay of a timer. Requires Node. */
const afterPendingIo = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Yields the items in order, and lets pending I/O run between two of them. */
export async function* yieldingBetween<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) await afterPendingIo();
    isFirst = false;
    yield item;
  }
}

/** Length of a slice. It is well below the 16 ms of a frame, because the last step of a slice may take another 4 ms. */
const sliceMs = 4;

/**
 * Runs the steps in slices of 4 ms and yields to the event loop between slices. Calls `isOver` after each yield, and
 * stops if it returns true. Resolves to the result of the steps; undefined if they were stopped.
 */
export async function inSlices<T>(
  steps: Iterable<unknown, T>,
  isOver: () => boolean,
): Promise<T | undefined> {
  const iterator = steps[Symbol.iterator]();
  let since = performance.now();
  for (;;) {
    const step = iterator.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < sliceMs) continue;
    await nextEventLoopTurn();
    if (isOver()) return undefined;
    since = performance.now();
  }
}

/** Gives turns to many callers, one per iteration of the event loop, in FIFO order. */
export class FairQueue {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  /** Resolves when the caller's turn begins. The turn lasts until the caller's next await. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#isRunning) return;
      this.#isRunning = true;
      setImmediate(this.#runNext);
    });
  }

  readonly #runNext = (): void => {
    const run = this.#waiting.shift();
    this.#isRunning = run !== undefined;
    if (run === undefined) return;
    run();
    setImmediate(this.#runNext);
  };
}
