import type { Disposable } from "../../base/disposable.ts";
import { steadyTime } from "../../base/steadyTime.ts";
import type { Clock } from "../../engine/ports.ts";
import { isAbort } from "../abort.ts";

/** Calls `onSilent` once when nothing was heard for the time that is allowed at that moment. */
export class SilenceLimit implements Disposable {
  readonly #stop = new AbortController();
  readonly #clock: Clock;
  readonly #time: () => number;
  #allowedMs: number;
  #lastAt: number;

  constructor(clock: Clock, allowedMs: number, onSilent: () => void) {
    this.#clock = clock;
    this.#time = steadyTime(clock);
    this.#allowedMs = allowedMs;
    this.#lastAt = this.#time();
    void this.#watch(onSilent);
  }

  heard(): void {
    this.#lastAt = this.#time();
  }

  /** From now on another time is allowed. */
  allow(ms: number): void {
    this.#allowedMs = ms;
    this.heard();
  }

  dispose(): void {
    this.#stop.abort();
  }

  // Looks when the time would be over instead of setting a timer for each chunk.
  async #watch(onSilent: () => void): Promise<void> {
    try {
      for (;;) {
        const left = this.#lastAt + this.#allowedMs - this.#time();
        if (left <= 0) break;
        await this.#clock.sleep(left, this.#stop.signal);
      }
    } catch (error) {
      if (!isAbort(error)) throw error;
      return;
    }
    onSilent();
  }
}
