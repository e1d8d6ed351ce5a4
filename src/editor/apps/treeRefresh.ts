/**
 * Batching interval of pod changes, in ms. Users see the delay as immediate, and it limits the redraws when a thousand
 * executors start.
 */
export const treeBatchMs = 50;

/** The interval in ms between two checks of the ages that the tree shows. */
export const ageRefreshMs = 5_000;

const minuteTicks = 60_000 / ageRefreshMs;
const hourTicks = 60 * minuteTicks;

/** True if the text of an age may have changed since the previous check. `tick` counts the checks. */
export function isAgeDue(ageMs: number, tick: number): boolean {
  if (ageMs < 60_000 + ageRefreshMs) return true;
  // 61 minutes, so that the step from minutes to hours is drawn in time.
  if (ageMs < 61 * 60_000) return tick % minuteTicks === 0;
  return tick % hourTicks === 0;
}

/** As `isAgeDue`, for a row that shows minutes and no age in the first minute. */
export const isMinuteDue = (ageMs: number, tick: number): boolean =>
  isFirstMinute(ageMs) || (tick % minuteTicks === 0 && isAgeDue(ageMs, tick));

const isFirstMinute = (ageMs: number): boolean => ageMs >= 60_000 && ageMs < 60_000 + ageRefreshMs;
