import { steadyTime } from "../../base/steadyTime.ts";
import type { Clock } from "../ports/clock.ts";
import { isAbort } from "../../base/isAbort.ts";

interface Pace<R> {
  readonly clock: Clock;
  /** Called after each item with the number of items processed so far. */
  readonly acted: (done: number) => void;
  /** True if further items would fail for the same reason. */
  readonly isHopeless: (result: R) => boolean;
  /** The result for an item whose request got no response. The server may have carried out the request. */
  readonly unanswered: R;
  /** Time limit of one item in ms; by default 3 min, enough for several requests. */
  readonly itemMs?: number;
}

// At most ten items a second, so that a long list does not slow down other clients of the API server.
const pauseMs = 100;

// In ms: enough for several requests, each with its own timeout of a minute.
const defaultItemMs = 180_000;

/**
 * Acts on items in sequence, at most ten a second. Returns the results in order; undefined for
 * items not tried because the signal aborted or an earlier result was hopeless. An abort does not
 * cancel the running item: the first signal of `act` is the item's deadline; the second ends waits that send nothing.
 * If the work is aborted from elsewhere, such as a closed connection, no further item is tried.
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

/** Runs the work on one item with its deadline. Returns undefined if the deadline passed or the work was aborted. */
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
