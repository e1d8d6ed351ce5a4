import { disposable, type Disposable } from "../base/disposable.ts";
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

const looks = 6;

/**
 * Calls `onDue` once somebody has waited for longer than `ms`; waits of nobody do not count, nor does the time for
 * which the machine slept: whoever goes on after that begins anew by himself, and need not be sent off twice.
 */
export class SilenceLimit implements Disposable {
  readonly #stop = new AbortController();
  #isWaitedFor = false;
  #looksInVain = 0;

  constructor(clock: Clock, ms: number, onDue: () => void) {
    void this.#watch(clock, ms, onDue).catch(ignoreAbort);
  }

  waiting(): void {
    this.#isWaitedFor = true;
    this.#looksInVain = 0;
  }

  heard(): void {
    this.#isWaitedFor = false;
  }

  dispose(): void {
    this.#stop.abort();
  }

  // Looks now and then instead of setting a timer for each chunk. The first look may come as soon as the wait begins.
  async #watch(clock: Clock, ms: number, onDue: () => void): Promise<void> {
    for (;;) {
      await clock.sleep(ms / looks, this.#stop.signal);
      if (!this.#isWaitedFor) continue;
      this.#looksInVain += 1;
      if (this.#looksInVain <= looks) continue;
      onDue();
      return;
    }
  }
}
