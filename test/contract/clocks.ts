import { setImmediate, setTimeout } from "node:timers/promises";
import type { Clock } from "../../src/engine/ports/clock.ts";

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

interface Sleeper {
  at: number;
  readonly wake: () => void;
}

/** A clock whose time changes only when the test changes it. */
export class ManualClock implements Clock {
  #now = Date.now();
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new DOMException("aborted", "AbortError"));
        return;
      }
      const sleeper: Sleeper = {
        at: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal.addEventListener("abort", () => {
        this.#sleepers.delete(sleeper);
        reject(new DOMException("aborted", "AbortError"));
      });
    });
  }

  /** Simulates suspend: wall time advances, but timers keep their remaining time. */
  sleepThrough(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) sleeper.at += ms;
  }

  /** Sets the wall clock back; timers keep their remaining time. */
  setBack(ms: number): void {
    this.sleepThrough(-ms);
  }

  /** Wakes all sleepers that are due, in order, and runs pending work after each. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await setImmediate();
      const next = [...this.#sleepers].sort((one, other) => one.at - other.at)[0];
      if (!next || next.at > until) break;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = until;
    await setImmediate();
  }

  /** Advances in small steps until the promise settles. */
  async advanceUntil<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false };
    const done = work.finally(() => {
      state.isDone = true;
    });
    while (!state.isDone) await this.advance(100);
    return done;
  }

  /** Waits in real time until a sleeper has between `min` and `max` milliseconds left. */
  async untilSomethingSleeps(min: number, max = Infinity): Promise<void> {
    const isMeant = ({ at }: Sleeper): boolean => at - this.#now >= min && at - this.#now <= max;
    while (![...this.#sleepers].some(isMeant)) await setTimeout(2);
  }
}
