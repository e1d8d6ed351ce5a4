import { Interruption } from "./interruption.ts";
import type { Clock, Random } from "./ports.ts";
import { start, type Running } from "./running.ts";

/** Work that goes on until it is done or disposed, and that waits in between. */
export interface Rounds extends Running {
  /** Tries anew at once, whatever is under way: the user asked. */
  readonly wake: () => void;
  /** What is waited for may have come: the wait ends, or is left out after an attempt that is under way. */
  readonly hurry: () => void;
}

export interface RoundWork {
  readonly clock: Clock;
  readonly random: Random;
  /** One attempt; how long to wait before the next, or `over`. */
  readonly round: (cut: AbortSignal) => Promise<number | "over">;
  /** Before an attempt that was asked for: earlier failures count no more. */
  readonly woken: () => void;
  /** Whether `hurry` may end the wait that there is; if nothing is said, any. */
  readonly mayHurry?: () => boolean;
}

// A clock that has gone on by itself for longer than this says that the machine has slept.
const lookEveryMs = 10_000;
const sleptMs = 20_000;
// All that goes on in rounds finds out together, and each has a connection to make.
const spreadMs = 2_000;

/**
 * One attempt after the other. An attempt or a wait is cut short by `wake`, and soon after the machine has slept:
 * then the connection is most likely dead, and nobody would hear of it for a while.
 */
export function startRounds({ clock, random, round, woken, mayHurry }: RoundWork): Rounds {
  const attention = new Interruption();
  const waiting = new Interruption();
  let hurries = 0;
  const wake = (): void => {
    woken();
    attention.interrupt();
  };
  const work = async (signal: AbortSignal): Promise<void> => {
    const over = new AbortController();
    /** When the attempt under way began. */
    let began: number | undefined;
    // One that was begun since is not of a dead connection.
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
        const next = await attention.run(round, signal);
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
