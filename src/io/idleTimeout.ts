import type { Disposable } from "../base/disposable.ts";
import { ignoreAbort } from "./abort.ts";
import type { Sleeper } from "./sleeper.ts";

const checksPerLimit = 6;

/**
 * Calls `onSilent` once if a wait exceeds the limit. Time outside of waits does not count. A machine sleep or a clock
 * change counts as at most a sixth of the limit, so that it does not end a healthy wait.
 */
export class IdleTimeout implements Disposable {
  readonly #stop = new AbortController();
  readonly #sleeper: Sleeper;
  readonly #limitMs: number;
  #isWaiting = false;
  #waitingSince = 0;
  #silentMs = 0;

  /** The timer is paused until the first call of `wait`. */
  constructor(sleeper: Sleeper, limitMs: number, onSilent: () => void) {
    this.#sleeper = sleeper;
    this.#limitMs = limitMs;
    void this.#watch(onSilent).catch(ignoreAbort);
  }

  /** Starts a wait, or restarts the current one at zero. */
  wait(): void {
    this.#isWaiting = true;
    this.#waitingSince = this.#sleeper.now();
    this.#silentMs = 0;
  }

  pause(): void {
    this.#isWaiting = false;
  }

  dispose(): void {
    this.#stop.abort();
  }

  // Polls the clock, to avoid a timer for each chunk.
  async #watch(onSilent: () => void): Promise<void> {
    for (;;) {
      const maxStep = this.#limitMs / checksPerLimit;
      const left = this.#isWaiting ? this.#limitMs - this.#silentMs : maxStep;
      const step = Math.min(maxStep, left);
      const before = this.#sleeper.now();
      await this.#sleeper.sleep(step, this.#stop.signal);
      if (!this.#isWaiting) continue;
      const passed = this.#sleeper.now() - Math.max(before, this.#waitingSince);
      // Only the first check needs the start of the wait. If the clock was set back, it would lie in the future.
      this.#waitingSince = Number.NEGATIVE_INFINITY;
      this.#silentMs += Math.min(step, Math.max(0, passed));
      if (this.#silentMs < this.#limitMs) continue;
      onSilent();
      return;
    }
  }
}
