import type { Clock } from "./ports/clock.ts";
import { start } from "./running.ts";
import { Interruption } from "./watch/interruption.ts";

/** Aborts the work after `ms` and then returns undefined; throws if `signal` aborts. */
export async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { clock, ms }: { readonly clock: Pick<Clock, "sleep">; readonly ms: number },
  signal: AbortSignal,
): Promise<T | undefined> {
  const running = new Interruption();
  const timer = start(async (stopped) => {
    await clock.sleep(ms, stopped);
    running.interrupt();
  });
  try {
    return await running.run(work, signal);
  } finally {
    timer.dispose();
  }
}
