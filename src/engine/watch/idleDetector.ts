import type { Disposable } from "../../base/disposable.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { Clock } from "../ports/clock.ts";
import { start, type Running } from "../running.ts";

export const idleTimedOut: unique symbol = Symbol("silence");

// Maximum delay in ms until a reduced limit takes effect.
const lookMs = 60_000;

/** Detects when a stream sends no data for too long. Uses a single timer for all items. */
export class IdleDetector implements Disposable {
  readonly #limitMs: () => number;
  readonly #clock: Clock;
  readonly #time: () => number;
  readonly #watching: Running;
  #since = 0;
  /** Ends `next` with `idleTimedOut`. Set while `next` is pending. */
  #tell: (() => void) | undefined;

  /** `limitMs` is read again on each check, so it may change. */
  constructor(limitMs: () => number, clock: Clock) {
    this.#limitMs = limitMs;
    this.#clock = clock;
    this.#time = steadyTime(clock);
    this.#watching = start((signal) => this.#watch(signal));
  }

  /**
   * Resolves to the result of `work`, or to `idleTimedOut` after the limit; `work` is not canceled. Only one call may
   * be pending at a time.
   */
  async next<T>(work: Promise<T>): Promise<T | typeof idleTimedOut> {
    this.#since = this.#time();
    try {
      return await new Promise<T | typeof idleTimedOut>((resolve, reject) => {
        this.#tell = () => {
          resolve(idleTimedOut);
        };
        work.then(resolve, reject);
      });
    } finally {
      this.#tell = undefined;
    }
  }

  dispose(): void {
    this.#watching.dispose();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    for (let restMs = this.#limitMs(); ;) {
      await this.#clock.sleep(Math.min(restMs, lookMs), signal);
      const limitMs = this.#limitMs();
      const quietMs = this.#tell === undefined ? 0 : this.#time() - this.#since;
      if (quietMs >= limitMs) this.#tell?.();
      restMs = quietMs >= limitMs ? limitMs : limitMs - quietMs;
    }
  }
}
