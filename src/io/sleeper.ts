/** The part of a clock that measures and waits. */
export interface Sleeper {
  /** Milliseconds. */
  now(): number;
  /** Resolves after `ms`; rejects with an AbortError if `signal` aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
