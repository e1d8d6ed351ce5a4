import { steadyTime } from "../base/steadyTime.ts";
import type { Clock } from "./ports.ts";
import { isAbort } from "./running.ts";

export interface Pace<R> {
  readonly clock: Clock;
  /** Told after each item. */
  readonly acted: (done: number) => void;
  /** True for a result after which the others would fare no better. */
  readonly isHopeless: (result: R) => boolean;
  /** The result of an item whose work ended without an answer: it may have been done. */
  readonly unanswered: R;
  /** For work that waits for more than a few answers; by default several requests' time. */
  readonly itemMs?: number;
}

// A server that shares its strength among its clients lets one of them write about so often.
const pauseMs = 100;

// Several requests, of which each gives up by itself after a minute.
const defaultItemMs = 180_000;

/**
 * Acts on one item after the other, at most ten a second. Gives what came of each, in their order; undefined
 * for those that were not tried, as the signal aborted or an earlier result was hopeless. What is under way
 * when the signal aborts is not taken back: the first signal that `act` is given is a deadline of its own, and the
 * other one is for what only waits. Where the work is ended from elsewhere, as with its connection, nothing more is
 * tried.
 */
export async function actOnEach<T, R>(
  items: readonly T[],
  act: (item: T, deadline: AbortSignal, signal: AbortSignal) => Promise<R>,
  { clock, acted, isHopeless, unanswered, itemMs = defaultItemMs }: Pace<R>,
  signal: AbortSignal,
): Promise<readonly (R | undefined)[]> {
  const time = steadyTime(clock);
  const results: (R | undefined)[] = items.map(() => undefined);
  for (const [index, item] of items.entries()) {
    if (signal.aborted) break;
    const due = time() + pauseMs;
    const answer = await answerOf((deadline) => act(item, deadline, signal), itemMs);
    results[index] = answer === undefined ? unanswered : answer.result;
    acted(index + 1);
    if (answer === undefined || isHopeless(answer.result)) break;
    const left = due - time();
    if (left > 0 && index < items.length - 1 && !(await slept(clock, left, signal))) break;
  }
  return results;
}

/** Undefined: it was ended before. */
async function answerOf<R>(
  act: (deadline: AbortSignal) => Promise<R>,
  itemMs: number,
): Promise<{ readonly result: R } | undefined> {
  const deadline = AbortSignal.timeout(itemMs);
  try {
    return { result: await act(deadline) };
  } catch (error) {
    if (isAbort(error) || deadline.aborted) return undefined;
    throw error;
  }
}

async function slept(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
