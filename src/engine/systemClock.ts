import type { Clock } from "./ports/clock.ts";

export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  sleep: (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(reasonOf(signal));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal.addEventListener("abort", stop, { once: true });
    }),
});

// An abort may have any reason; callers expect an Error.
const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException("aborted", "AbortError");
