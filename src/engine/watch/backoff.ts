import type { Random } from "../ports/clock.ts";

// Values from client-go's reflector. The back-off resets only after two minutes without a failure, so that a server
// that fails repeatedly is not retried at the first interval.
const firstDelayMs = 800;
const maxDelayMs = 30_000;
const resetAfterMs = 120_000;

/** Exponential back-off with jitter. It starts over after two minutes without a failure. */
export class Backoff {
  readonly #random: Random;
  #attempt = 0;
  #lastAt = -Infinity;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the milliseconds to wait after a failure at time `now`. */
  next(now: number): number {
    if (now - this.#lastAt > resetAfterMs) this.#attempt = 0;
    this.#lastAt = now;
    const full = Math.min(maxDelayMs, firstDelayMs * 2 ** this.#attempt);
    this.#attempt += 1;
    return jittered(full, this.#random);
  }

  reset(): void {
    this.#attempt = 0;
  }
}

/** Adds up to a sixth to `ms`, to spread clients. Never returns less than `ms`, to limit the request rate. */
export const jittered = (ms: number, random: Random): number => ms * (1 + random() / 6);
