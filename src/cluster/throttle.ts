import { steadyTime } from "../base/steadyTime.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { Clock, Random } from "../engine/ports/clock.ts";

/** Maximum Retry-After (ms) that a request waits for. Beyond it, the caller gets an error. */
export const maxWaitMs = 10_000;
// Maximum pause (ms) after one Retry-After header.
const maxPauseMs = 60_000;

/** Delays all requests after the server asked one of them to wait. */
export class Throttle {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #time: () => number;
  #until = -Infinity;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#time = steadyTime(clock);
  }

  pause(ms: number): void {
    // Add jitter so that several clients do not resume at the same time.
    const wished = ms + this.#random() * Math.max(500, ms / 4);
    this.#until = Math.max(this.#until, this.#time() + Math.min(wished, maxPauseMs));
  }

  /**
   * Resolves when a request may be sent. Fails immediately if the rest of the pause is longer than twice `maxWaitMs`.
   */
  async wait(signal: AbortSignal): Promise<Result<void, ClusterError>> {
    const left = Math.ceil(this.#until - this.#time());
    if (left <= 0) return ok(undefined);
    if (left > 2 * maxWaitMs) {
      const detail = `the server requested a wait of ${Math.ceil(left / 1000)} s`;
      return err({ kind: "throttled", retryAfterMs: left, detail });
    }
    await this.#clock.sleep(left, signal);
    return ok(undefined);
  }
}
