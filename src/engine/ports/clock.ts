// The ports declare the engine's external dependencies. `cluster/` and `storage/` implement them; tests fake only
// these. Time and randomness are passed as arguments, so that tests need not wait.

export interface Clock {
  /** Returns the time in ms since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with an AbortError when `signal` aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Returns a uniformly distributed number in [0, 1). */
export type Random = () => number;
