import type { Clock } from "../engine/ports.ts";

// A Date is of whole seconds and takes a while to come; what differs by less is the same.
const leastSkewMs = 3_000;

/** What time it is for the server, from the Date of its answers. */
export class ServerTime {
  readonly #clock: Clock;
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The date of an answer that has just come. */
  heard(date: string | undefined): void {
    const aheadMs = Date.parse(date ?? "") - this.#clock.now();
    if (!Number.isNaN(aheadMs)) this.#aheadMs = Math.abs(aheadMs) < leastSkewMs ? 0 : aheadMs;
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }
}
