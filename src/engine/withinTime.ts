import type { Clock } from "./ports/clock.ts";
import { start } from "./running.ts";
import { Interruption } from "./watch/interruption.ts";

/** Returns the result of `work`. Aborts it after `ms` and then returns undefined. Throws if `signal` aborts. */
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

// Kept short, because a user waits. If a network policy drops the packets to a driver, an error arrives late or never.
const answerMs = 5_000;

/** Time limit in ms for the suggestions of a prompt. Short, because the prompt waits for them. */
export const suggestionMs = 3_000;

/** Returns the result of `ask`; undefined if it takes longer than `ms`, by default 5 s. Throws if `signal` aborts. */
export async function withinAnswerDeadline<T>(
  ask: (soon: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  ms = answerMs,
): Promise<T | undefined> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  try {
    return await ask(soon);
  } catch (error) {
    if (signal.aborted || !soon.aborted) throw error;
    return undefined;
  }
}
