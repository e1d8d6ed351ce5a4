import type { StageProgress } from "./progress.ts";

/** The number of ended tasks of a stage over time, oldest first. */
export type StagePace = readonly PaceMark[];

interface PaceMark {
  /** In epoch milliseconds. */
  readonly at: number;
  readonly done: number;
}

const maxMarks = 64;
const minDone = 5;
const minMs = 10_000;

/**
 * Adds an observation if tasks have ended since the last one. `before`: empty for a new stage. `now`: epoch
 * milliseconds.
 */
export function observePace(before: StagePace, stage: StageProgress, now: number): StagePace {
  if (stage.startedAt === undefined) return before;
  const marks = before.length === 0 ? [{ at: stage.startedAt, done: 0 }] : before;
  if (stage.done <= (marks.at(-1)?.done ?? 0)) return marks;
  const added = [...marks, { at: now, done: stage.done }];
  // Keeps the start and every second mark, so that the marks cover the whole time of a long stage.
  return added.length <= maxMarks ? added : added.filter((_, index) => index % 2 === 0);
}

/**
 * Estimates the milliseconds until all tasks have ended, by the recent throughput. Undefined before 5 tasks have ended
 * and 10 s have passed. Also undefined when the estimate has run out: the remaining tasks then take longer than the
 * others, for an unknown time.
 */
export function remainingMs(
  pace: StagePace,
  { tasks, active }: StageProgress,
  now: number,
): number | undefined {
  const last = pace.at(-1);
  const [start] = pace;
  if (last === undefined || start === undefined) return undefined;
  if (last.done < minDone || now - start.at < minMs || last.at <= start.at) return undefined;
  // Tasks end in waves, and a wave is seen up to one poll late. So the throughput covers at least two waves and a
  // quarter of the time. The newest such marks are used, because executors come and go.
  const enough = Math.max(minDone, 2 * active);
  const enoughMs = Math.max(minMs, (last.at - start.at) / 4);
  const base =
    pace.findLast(({ at, done }) => last.done - done >= enough && last.at - at >= enoughMs) ??
    start;
  const msPerTask = (last.at - base.at) / (last.done - base.done);
  const left = last.at + (tasks - last.done) * msPerTask - now;
  return left > 0 ? left : undefined;
}
