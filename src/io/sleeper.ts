/** A clock, and sleeps that a signal can abort. */
export interface Sleeper {
  /** Returns the current time in ms. The clock may be set back. */
  now(): number;
  /** Resolves after `ms`; rejects with an AbortError if `signal` aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
