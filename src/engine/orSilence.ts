import type { Clock } from "./ports.ts";

export const silence: unique symbol = Symbol("silence");

/** What `work` gives, or `silence` if that takes longer than `ms`; `work` goes on then. */
export async function orSilence<T>(
  work: Promise<T>,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | typeof silence> {
  const done = new AbortController();
  const timer = clock.sleep(ms, AbortSignal.any([signal, done.signal]));
  try {
    return await Promise.race([work, timer.then((): typeof silence => silence)]);
  } finally {
    done.abort();
  }
}
