import { steadyTime } from "../base/steadyTime.ts";
import type { Clock } from "./ports.ts";

export interface Pace<R> {
  readonly clock: Clock;
  /** Told after each item. */
  readonly acted: (done: number) => void;
  /** True for a result after which the others would fare no better. */
  readonly isHopeless: (result: R) => boolean;
}

// A server that shares its strength among its clients lets one of them write about so often.
const pauseMs = 100;

/**
 * Acts on one item after the other, at most ten a second. Gives what came of each, in their order; undefined
 * for those that were not tried, as the signal aborted or an earlier result was hopeless. What is under way
 * when the signal aborts is not taken back.
 */
export async function actOnEach<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  { clock, acted, isHopeless }: Pace<R>,
  signal: AbortSignal,
): Promise<readonly (R | undefined)[]> {
  const time = steadyTime(clock);
  const results: (R | undefined)[] = items.map(() => undefined);
  for (const [index, item] of items.entries()) {
    if (signal.aborted) break;
    const due = time() + pauseMs;
    const result = await act(item);
    results[index] = result;
    acted(index + 1);
    if (isHopeless(result)) break;
    const left = due - time();
    if (left > 0 && index < items.length - 1 && !(await slept(clock, left, signal))) break;
  }
  return results;
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
