import { steadyTime } from "../base/steadyTime.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { Clock, Random } from "../engine/ports.ts";

/** A server that is busy for longer is the user's affair, not that of one request. */
export const longestWaitMs = 10_000;
// Nobody keeps us out for longer than this with one answer.
const longestPauseMs = 60_000;

/** After a server has told one request to wait, the others wait with it. */
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
    // Some chance, so that all who wait do not come back in the same instant.
    const wished = ms + this.#random() * Math.max(500, ms / 4);
    this.#until = Math.max(this.#until, this.#time() + Math.min(wished, longestPauseMs));
  }

  /** Returns when a request may be sent, or at once with an error if that is too long to wait. */
  async wait(signal: AbortSignal): Promise<Result<void, ClusterError>> {
    const left = Math.ceil(this.#until - this.#time());
    if (left <= 0) return ok(undefined);
    if (left > 2 * longestWaitMs) {
      const detail = `the server has asked to wait for ${Math.ceil(left / 1000)} s`;
      return err({ kind: "throttled", retryAfterMs: left, detail });
    }
    await this.#clock.sleep(left, signal);
    return ok(undefined);
  }
}
