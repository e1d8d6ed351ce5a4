/**
 * Batching interval of pod changes, in ms. Too short for users to notice, but it limits the redraws when a thousand
 * executors start.
 */
export const treeBatchMs = 50;

/** The interval in ms between two checks of the ages that the tree shows. */
export const ageRefreshMs = 5_000;

const minuteTicks = 60_000 / ageRefreshMs;
const hourTicks = 60 * minuteTicks;

/**
 * True if a row's age must be redrawn at this check. `tick` counts the checks. Redraws at every check in the first
 * minute, then once a minute, and after 61 minutes once an hour.
 */
export function isAgeDue(ageMs: number, tick: number): boolean {
  if (ageMs < 60_000 + ageRefreshMs) return true;
  // Not 60 but 61 minutes, so that the change from minutes to hours is rendered in time.
  if (ageMs < 61 * 60_000) return tick % minuteTicks === 0;
  return tick % hourTicks === 0;
}

/**
 * As `isAgeDue`, for a row that shows no age in its first minute: due when this minute is over, otherwise at most once
 * a minute.
 */
export const isMinuteDue = (ageMs: number, tick: number): boolean =>
  isFirstMinute(ageMs) || (tick % minuteTicks === 0 && isAgeDue(ageMs, tick));

const isFirstMinute = (ageMs: number): boolean => ageMs >= 60_000 && ageMs < 60_000 + ageRefreshMs;
