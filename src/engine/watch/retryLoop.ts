import { Interruption } from "./interruption.ts";
import type { Clock, Random } from "../ports/clock.ts";
import { start, type Running } from "../running.ts";

/**
 * A loop of attempts with waits between them. It ends when an attempt returns `over`, or on `dispose`.
 */
export interface RetryLoop extends Running {
  /** Cancels the current attempt or wait, and starts a new attempt at once. Called when the user requests a retry. */
  readonly wake: () => void;
  /** Ends the current wait; if an attempt is running, skips the wait after it. */
  readonly hurry: () => void;
}

interface RetryLoopWork {
  readonly clock: Clock;
  readonly random: Random;
  /** Makes one attempt. Returns the milliseconds to wait before the next, or `over`. */
  readonly attempt: (cut: AbortSignal) => Promise<number | "over">;
  /** Resets the back-off. Called on `wake`, and after the machine resumes from sleep. */
  readonly woken: () => void;
  /** True if `hurry` may end the current wait; default: always. */
  readonly mayHurry?: () => boolean;
}

// If the wall clock advances by more than this during a short sleep, the machine was suspended.
const lookEveryMs = 10_000;
const sleptMs = 20_000;
// After sleep all loops resume at once; spread reconnects over 2 s.
const spreadMs = 2_000;

/**
 * Starts the loop. `wake` interrupts an attempt or a wait, and so does resuming from sleep. After sleep, the connection
 * is probably dead, but would fail only after its idle timeout.
 */
export function startRetryLoop({
  clock,
  random,
  attempt,
  woken,
  mayHurry,
}: RetryLoopWork): RetryLoop {
  const attention = new Interruption();
  const waiting = new Interruption();
  let hurries = 0;
  const wake = (): void => {
    woken();
    attention.interrupt();
  };
  const work = async (signal: AbortSignal): Promise<void> => {
    const over = new AbortController();
    /** Start time of the running attempt. */
    let began: number | undefined;
    // Do not interrupt an attempt that started after the suspension, because its connection is new.
    const slept = (since: number): void => {
      woken();
      if (began === undefined || began <= since) attention.interrupt();
    };
    const looking = start(() =>
      lookForSleep(clock, random, slept, AbortSignal.any([signal, over.signal])),
    );
    try {
      for (;;) {
        const before = hurries;
        began = clock.now();
        const next = await attention.run(attempt, signal);
        began = undefined;
        if (next === "over") return;
        const waitMs = next ?? 0;
        if (waitMs <= 0 || hurries > before) continue;
        const rest = (cut: AbortSignal): Promise<unknown> =>
          waiting.run((hurried) => clock.sleep(waitMs, hurried), cut);
        await attention.run(rest, signal);
      }
    } finally {
      over.abort();
      await looking.done;
    }
  };
  const hurry = (): void => {
    if (mayHurry?.() === false) return;
    hurries += 1;
    waiting.interrupt();
  };
  return { ...start(work), wake, hurry };
}

async function lookForSleep(
  clock: Clock,
  random: Random,
  slept: (since: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const due = clock.now() + lookEveryMs;
    await clock.sleep(lookEveryMs, signal);
    if (clock.now() - due <= sleptMs) continue;
    const goOn = clock.now() + random() * spreadMs;
    await clock.sleep(goOn - clock.now(), signal);
    const hasSleptAgain = clock.now() - goOn > sleptMs;
    slept(hasSleptAgain ? goOn : due);
  }
}
