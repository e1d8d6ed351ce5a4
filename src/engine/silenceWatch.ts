import type { Disposable } from "../base/disposable.ts";
import { steadyTime } from "../base/steadyTime.ts";
import type { Clock } from "./ports.ts";
import { start, type Running } from "./running.ts";

export const silence: unique symbol = Symbol("silence");

// A limit that has become shorter is seen so soon.
const lookMs = 60_000;

/** Notices that a stream says nothing, with one timer however much it says. */
export class SilenceWatch implements Disposable {
  readonly #limitMs: () => number;
  readonly #clock: Clock;
  readonly #time: () => number;
  readonly #watching: Running;
  #since = 0;
  /** Set while somebody waits. */
  #tell: (() => void) | undefined;

  /** `limitMs` may change while the stream goes on. */
  constructor(limitMs: () => number, clock: Clock) {
    this.#limitMs = limitMs;
    this.#clock = clock;
    this.#time = steadyTime(clock);
    this.#watching = start((signal) => this.#watch(signal));
  }

  /** What `work` gives, or `silence` if that takes too long; `work` goes on then. One at a time. */
  async next<T>(work: Promise<T>): Promise<T | typeof silence> {
    this.#since = this.#time();
    try {
      return await new Promise<T | typeof silence>((resolve, reject) => {
        this.#tell = () => {
          resolve(silence);
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
