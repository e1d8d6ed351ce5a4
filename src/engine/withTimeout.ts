import type { Clock } from "./ports/clock.ts";

/** Runs work with a signal that aborts after `ms`. The timer ends with the work. */
export async function withTimeout<T>(
  clock: Pick<Clock, "sleep">,
  ms: number,
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(ms, done.signal).then(
    () => {
      late.abort();
    },
    () => undefined,
  );
  try {
    return await work(late.signal);
  } finally {
    done.abort();
  }
}
