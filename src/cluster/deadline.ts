import { disposable, type Disposable } from "../base/disposable.ts";
import { steadyTime } from "../base/steadyTime.ts";
import type { Clock } from "../engine/ports.ts";
import { ignoreAbort } from "./abort.ts";

/** Calls `onDue` after `ms` unless disposed before. */
export function deadline(clock: Clock, ms: number, onDue: () => void): Disposable {
  const stop = new AbortController();
  void clock.sleep(ms, stop.signal).then(onDue, ignoreAbort);
  return disposable(() => {
    stop.abort();
  });
}

/** Calls `onDue` once somebody has waited for longer than `ms`; waits of nobody do not count. */
export class SilenceLimit implements Disposable {
  readonly #stop = new AbortController();
  readonly #clock: Clock;
  readonly #time: () => number;
  #waitingSince: number | undefined;

  constructor(clock: Clock, ms: number, onDue: () => void) {
    this.#clock = clock;
    this.#time = steadyTime(clock);
    void this.#watch(ms, onDue).catch(ignoreAbort);
  }

  waiting(): void {
    this.#waitingSince = this.#time();
  }

  heard(): void {
    this.#waitingSince = undefined;
  }

  dispose(): void {
    this.#stop.abort();
  }

  // Looks now and then instead of setting a timer for each chunk. After the machine has slept, the first
  // look finds that the clock has jumped.
  async #watch(ms: number, onDue: () => void): Promise<void> {
    for (;;) {
      await this.#clock.sleep(ms / 6, this.#stop.signal);
      const since = this.#waitingSince;
      if (since !== undefined && this.#time() - since >= ms) {
        onDue();
        return;
      }
    }
  }
}
