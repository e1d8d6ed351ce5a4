import { setTimeout as sleep } from "node:timers/promises";

/** The clock of the sandbox; tests replace it. */
export interface SandboxClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with an AbortError when `signal` aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The system clock. A pending sleep does not keep the process alive. */
export const sandboxClock: SandboxClock = Object.freeze({
  now: () => Date.now(),
  sleep: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }),
});

/** Formats a time like Kubernetes does in objects: RFC 3339 in whole seconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
