import type { Random } from "./ports.ts";

// client-go's figures: with the reset only after two good minutes an ailing server is asked some 50 times less.
const firstDelayMs = 800;
const longestDelayMs = 30_000;
const resetAfterMs = 120_000;

/** How long to wait after each failure: twice as long as before, with jitter; short again after a time without. */
export class Backoff {
  readonly #random: Random;
  #attempt = 0;
  #lastAt = -Infinity;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Milliseconds to wait after a failure at `now`. */
  next(now: number): number {
    if (now - this.#lastAt > resetAfterMs) this.#attempt = 0;
    this.#lastAt = now;
    const full = Math.min(longestDelayMs, firstDelayMs * 2 ** this.#attempt);
    this.#attempt += 1;
    return jittered(full, this.#random);
  }

  reset(): void {
    this.#attempt = 0;
  }
}

/** A sixth more at most, so that many clients do not come back at once; never less, so that few come in all. */
export const jittered = (ms: number, random: Random): number => ms * (1 + random() / 6);
