import type { PendingReason } from "./pendingReason.ts";
import type { PodPhase, StateChange } from "./stateChange.ts";

/**
 * Executor counts by phase, valid from `at` (epoch ms) until the next point. `failed` and `finished` include executors
 * whose pods were deleted.
 */
export interface CountPoint extends Readonly<Record<PodPhase, number>> {
  readonly at: number;
  /** The pending executors by reason. A reason without executors is absent or 0. */
  readonly reasons: Readonly<Partial<Record<PendingReason, number>>>;
}

interface CountedTimeline {
  readonly folded: readonly CountPoint[];
  readonly changes: readonly StateChange[];
}

/** Returns the executor counts of a timeline as a step function, in order of time. */
export const countsOf = ({ folded, changes }: CountedTimeline): readonly CountPoint[] => [
  ...folded,
  ...accumulateCounts(changes, folded.at(-1)),
];

export const driverPod = "driver";

/** Returns the executor counts after each moment with changes. `before`: the counts before the first change. */
export function accumulateCounts(
  changes: readonly StateChange[],
  before: CountPoint | undefined,
): readonly CountPoint[] {
  const counts = { ...(before ?? none) };
  let reasons: Partial<Record<PendingReason, number>> = { ...counts.reasons };
  const points: CountPoint[] = [];
  for (const { at, pod, from, fromReason, to, reason } of changes) {
    if (pod === driverPod) continue;
    if (from !== undefined) counts[from] -= 1;
    counts[to] += 1;
    if (fromReason !== undefined || reason !== undefined) {
      reasons = { ...reasons };
      if (fromReason !== undefined) reasons[fromReason] = (reasons[fromReason] ?? 0) - 1;
      if (reason !== undefined) reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    const point = { ...counts, at, reasons };
    if (points.at(-1)?.at === at) points[points.length - 1] = point;
    else points.push(point);
  }
  return points;
}

const none: CountPoint = {
  ...{ at: 0, pending: 0, running: 0, leaving: 0, unknown: 0, failed: 0, finished: 0 },
  reasons: {},
};

/**
 * Returns at most `max` points of a series: the first and the last of each bucket, and the points with its highest and
 * lowest values. This preserves the extremes of the whole series.
 */
export function downsample<T>(
  points: readonly T[],
  max: number,
  valuesOf: (point: T) => readonly number[],
): readonly T[] {
  const [first] = points;
  if (first === undefined || points.length <= max) return points;
  const perBucket = 2 + 2 * valuesOf(first).length;
  const buckets = Math.max(1, Math.floor(max / perBucket));
  const size = Math.ceil(points.length / buckets);
  const kept: T[] = [];
  for (let start = 0; start < points.length; start += size) {
    const end = Math.min(points.length, start + size);
    const places = new Set([start, end - 1]);
    const values = points.slice(start, end).map(valuesOf);
    for (const dimension of valuesOf(first).keys()) {
      places.add(start + extremeOf(values, dimension, 1));
      places.add(start + extremeOf(values, dimension, -1));
    }
    for (const place of [...places].sort((a, b) => a - b)) {
      const point = points[place];
      if (point !== undefined) kept.push(point);
    }
  }
  return kept;
}

/** Returns the index of the point with the highest value in one dimension, or with the lowest one if `sign` is -1. */
function extremeOf(
  values: readonly (readonly number[])[],
  dimension: number,
  sign: 1 | -1,
): number {
  let best = 0;
  for (const [index, value] of values.entries()) {
    if (sign * (value[dimension] ?? 0) > sign * (values[best]?.[dimension] ?? 0)) best = index;
  }
  return best;
}
