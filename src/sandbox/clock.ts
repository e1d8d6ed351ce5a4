import { setTimeout as sleep } from "node:timers/promises";

/** Time of the sandbox, so that tests can turn it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with an AbortError when `signal` aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's own time. A sleeper alone does not keep the sandbox running. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  sleep: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }),
});

/** As Kubernetes writes the times of objects: whole seconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
