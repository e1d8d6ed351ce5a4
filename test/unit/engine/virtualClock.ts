import type { Clock } from "../../../src/engine/ports/clock.ts";

interface Timer {
  at: number;
  readonly order: number;
  readonly fire: () => void;
}

type PlaceOf = (order: number, ms: number, signal: AbortSignal) => number;

/** A clock that a test advances. Timers fire in order, and all effects of one settle before the next fires. */
export class VirtualClock implements Clock {
  #now = Date.UTC(2026, 0, 2, 3, 4, 5);
  #order = 0;
  readonly #timers = new Set<Timer>();
  readonly #placeOf: PlaceOf;

  /** `placeOf` gives the order of timers that are due at the same time; by default the oldest fires first. */
  constructor(placeOf: PlaceOf = (order) => order) {
    this.#placeOf = placeOf;
  }

  readonly now = (): number => this.#now;

  readonly sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = (): void => {
        this.#timers.delete(timer);
        // An abort may have a reason of any type. The system clock rejects in the same way.
        const { reason } = signal as { readonly reason: unknown };
        reject(reason instanceof Error ? reason : new DOMException("aborted", "AbortError"));
      };
      const timer: Timer = {
        at: this.#now + Math.max(0, ms),
        order: this.#placeOf((this.#order += 1), ms, signal),
        fire: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      this.#timers.add(timer);
      signal.addEventListener("abort", stop, { once: true });
    });

  /** Number of pending timers. A test expects 0 after everything is disposed. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Suspends the machine: time passes, and timers keep their remaining time. */
  sleepThrough(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) timer.at += ms;
  }

  /** Sets the clock back; timers keep their remaining time. */
  setBack(ms: number): void {
    this.sleepThrough(-ms);
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fire();
      await settle();
    }
    this.#now = end;
  }

  /** Advances from timer to timer until the work is done. */
  async advanceUntil(work: Promise<unknown>): Promise<void> {
    const state = { isDone: false };
    const done = work.finally(() => {
      state.isDone = true;
    });
    await settle();
    while (!state.isDone) await this.advance(Math.max(0, this.#nextAt() - this.#now));
    await done;
  }

  #nextAt(): number {
    let at = Infinity;
    for (const timer of this.#timers) at = Math.min(at, timer.at);
    return at;
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > end) continue;
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }
}

/** Resolves after all effects that need no timer. */
export const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
