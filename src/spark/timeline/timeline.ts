import type { DriverSample } from "./driverSample.ts";
import { accumulateCounts, downsample, type CountPoint } from "./executorCounts.ts";
import type { StageSpan } from "./stageSpan.ts";
import type { StateChange } from "./stateChange.ts";

export type MarkKind = "killed" | "decommissioned" | "stopped" | "deleted" | "failed";

/** A moment at which a pod was killed, decommissioned, stopped or deleted, or at which it failed. */
export interface TimelineMark {
  readonly at: number;
  readonly kind: MarkKind;
  readonly pod: string;
  /** Exit code and reason, such as `137 OOMKilled`. Empty if both are unknown, and for ends without a failure. */
  readonly exit: string;
}

/** Requested CPU cores and bytes of memory, each multiplied by the lifetime of the pods in ms. */
export interface SpentResources {
  readonly coreMs: number;
  readonly byteMs: number;
}

/** The history of an application, bounded in size. Contains no logs and no conf values. */
export interface Timeline {
  /** The executor counts up to the oldest retained change, downsampled. */
  readonly folded: readonly CountPoint[];
  /** Ordered by time. */
  readonly changes: readonly StateChange[];
  readonly marks: readonly TimelineMark[];
  readonly samples: readonly DriverSample[];
  /** Ordered by stage and attempt. */
  readonly stages: readonly StageSpan[];
  readonly spent: SpentResources;
}

export const emptyTimeline: Timeline = Object.freeze({
  folded: [],
  changes: [],
  marks: [],
  samples: [],
  stages: [],
  spent: { coreMs: 0, byteMs: 0 },
});

/** The maximum number of entries of one timeline. The limits bound the memory for about 1,000 applications. */
export const timelineLimits = {
  changes: 4_000,
  folded: 600,
  marks: 500,
  samples: 1_000,
  stages: 1_000,
} as const;

/**
 * Adds changes. Above the limit, folds the older half into executor counts. A change that is older than those counts
 * gets their last time.
 */
export function addChanges(timeline: Timeline, added: readonly StateChange[]): Timeline {
  if (added.length === 0) return timeline;
  const earliest = timeline.folded.at(-1)?.at ?? -Infinity;
  const late = added.map((change) => (change.at < earliest ? { ...change, at: earliest } : change));
  const changes = inOrder([...timeline.changes, ...late]);
  if (changes.length <= timelineLimits.changes) return { ...timeline, changes };
  const count = changes.length - timelineLimits.changes / 2;
  const points = [
    ...timeline.folded,
    ...accumulateCounts(changes.slice(0, count), timeline.folded.at(-1)),
  ];
  const folded = downsample(points, timelineLimits.folded, ({ pending, running, leaving }) => [
    pending,
    running,
    leaving,
  ]);
  return { ...timeline, folded, changes: changes.slice(count) };
}

/** Adds a mark. Above the limit, keeps the newest marks. */
export const addMark = (timeline: Timeline, mark: TimelineMark): Timeline => ({
  ...timeline,
  marks: inOrder([...timeline.marks, mark]).slice(-timelineLimits.marks),
});

/** Adds a sample. Above the limit, downsamples but preserves the extremes of running tasks, memory peak and target. */
export function addSample(timeline: Timeline, sample: DriverSample): Timeline {
  const samples = inOrder([...timeline.samples, sample]);
  if (samples.length <= timelineLimits.samples) return { ...timeline, samples };
  return {
    ...timeline,
    samples: downsample(samples, timelineLimits.samples / 2, (one) => [
      one.activeTasks,
      one.peakBytes ?? 0,
      one.target ?? 0,
    ]),
  };
}

/** Adds stages, and replaces those with the same id and attempt. Above the limit, keeps the highest stage ids. */
export function putStages(timeline: Timeline, read: readonly StageSpan[]): Timeline {
  if (read.length === 0) return timeline;
  const byKey = new Map(timeline.stages.map((stage) => [keyOfSpan(stage), stage]));
  for (const stage of read) byKey.set(keyOfSpan(stage), stage);
  const stages = [...byKey.values()].sort(
    (a, b) => a.stageId - b.stageId || a.attemptId - b.attemptId,
  );
  return { ...timeline, stages: stages.slice(-timelineLimits.stages) };
}

export const addSpent = (timeline: Timeline, { coreMs, byteMs }: SpentResources): Timeline => ({
  ...timeline,
  spent: { coreMs: timeline.spent.coreMs + coreMs, byteMs: timeline.spent.byteMs + byteMs },
});

const keyOfSpan = ({ stageId, attemptId }: StageSpan): string => `${stageId}.${attemptId}`;

/** Sorts by time, unless the items are already in order, as they nearly always are. */
function inOrder<T extends { readonly at: number }>(items: T[]): readonly T[] {
  const isSorted = items.every(
    (item, index) => index === 0 || (items[index - 1]?.at ?? 0) <= item.at,
  );
  return isSorted ? items : items.sort((a, b) => a.at - b.at);
}
