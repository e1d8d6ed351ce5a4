import { setImmediate, setTimeout } from "node:timers/promises";
import type { Clock } from "../../src/engine/ports.ts";

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

interface Sleeper {
  at: number;
  readonly wake: () => void;
}

/** Time that stands still until the test moves it. */
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

  /** The machine sleeps: time goes on, and what sleeps in it does so for as long as before. */
  sleepThrough(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) sleeper.at += ms;
  }

  /** Somebody corrects the clock, and what sleeps does so for as long as before. */
  setBack(ms: number): void {
    this.sleepThrough(-ms);
  }

  /** Wakes all that sleep until then, in order, and lets each do what it wants to. */
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

  /** Moves on, a little at a time, until the work is done. */
  async advanceUntil<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false };
    const done = work.finally(() => {
      state.isDone = true;
    });
    while (!state.isDone) await this.advance(100);
    return done;
  }

  /** Waits, in real time, until something sleeps for at least so long, and no longer than `most`. */
  async untilSomethingSleeps(least: number, most = Infinity): Promise<void> {
    const isMeant = ({ at }: Sleeper): boolean => at - this.#now >= least && at - this.#now <= most;
    while (![...this.#sleepers].some(isMeant)) await setTimeout(2);
  }
}
