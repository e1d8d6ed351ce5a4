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

/** Adds a mark if tasks have ended since the last one. `before`: empty for a new stage. `now`: epoch milliseconds. */
export function observePace(before: StagePace, stage: StageProgress, now: number): StagePace {
  if (stage.startedAt === undefined) return before;
  const marks = before.length === 0 ? [{ at: stage.startedAt, done: 0 }] : before;
  if (stage.done <= (marks.at(-1)?.done ?? 0)) return marks;
  const added = [...marks, { at: now, done: stage.done }];
  // Drops every second mark after the start, so that the marks cover the whole time of a long stage.
  return added.length <= maxMarks ? added : added.filter((_, index) => index % 2 === 0);
}

/**
 * Estimates the milliseconds until all tasks have ended from the recent throughput. Undefined until 5 tasks have ended
 * and 10 s have passed. Also undefined after the estimated end: the remaining tasks then take longer than the others,
 * and no estimate is possible.
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
  // Tasks end in waves, and a wave is observed up to one poll late. The throughput is therefore measured over at least
  // two waves and a quarter of the elapsed time. The newest such interval is used, because the number of executors
  // changes.
  const enough = Math.max(minDone, 2 * active);
  const enoughMs = Math.max(minMs, (last.at - start.at) / 4);
  const base =
    pace.findLast(({ at, done }) => last.done - done >= enough && last.at - at >= enoughMs) ??
    start;
  const msPerTask = (last.at - base.at) / (last.done - base.done);
  const left = last.at + (tasks - last.done) * msPerTask - now;
  return left > 0 ? left : undefined;
}
