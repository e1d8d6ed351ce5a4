import type { Clock } from "../engine/ports/clock.ts";

// Date headers have whole seconds and arrive with network delay, so ignore smaller clock skew.
const leastSkewMs = 3_000;

/** Estimates the server's clock from the Date headers of its responses. */
export class ServerTime {
  readonly #clock: Clock;
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Updates the clock offset from the Date header of a response that has just arrived. Ignores an invalid header. */
  heard(date: string | undefined): void {
    const aheadMs = Date.parse(date ?? "") - this.#clock.now();
    if (!Number.isNaN(aheadMs)) this.#aheadMs = Math.abs(aheadMs) < leastSkewMs ? 0 : aheadMs;
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }
}
