import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { StageProgress } from "../../../src/spark/progress/progress.ts";
import {
  observePace,
  remainingMs,
  type StagePace,
} from "../../../src/spark/progress/remainingTime.ts";

interface Simulated {
  readonly at: number;
  readonly left: number | undefined;
  readonly truth: number;
  readonly done: number;
  /** The time of the last poll that saw an additional ended task. */
  readonly seenAt: number;
}

/** Simulates a stage on this many slots, with tasks of these durations; returns the estimate at each poll. */
function simulate(durations: readonly number[], slots: number, pollMs: number): Simulated[] {
  const free = Array.from({ length: slots }, () => 0);
  const ends = durations.map((duration) => {
    const slot = free.indexOf(Math.min(...free));
    return (free[slot] = (free[slot] ?? 0) + duration);
  });
  const end = Math.max(...ends);
  const polls: Simulated[] = [];
  let pace: StagePace = [];
  for (let at = pollMs; at < end; at += pollMs) {
    const done = ends.filter((time) => time <= at).length;
    const stage: StageProgress = {
      ...{ stageId: 1, attemptId: 0, name: "", description: undefined, failed: 0, killed: 0 },
      ...{ tasks: durations.length, done, startedAt: 0 },
      active: Math.min(slots, durations.length - done),
    };
    pace = observePace(pace, stage, at);
    const seenAt = pace.at(-1)?.at ?? 0;
    polls.push({ at, left: remainingMs(pace, stage, at), truth: end - at, done, seenAt });
  }
  return polls;
}

const slots = fc.integer({ min: 1, max: 40 });
const pollMs = fc.constantFrom(2_000, 4_000);

describe("remaining time", () => {
  test("of equal tasks is right up to one wave and the delay of polling", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 120_000 }),
        fc.integer({ min: 5, max: 400 }),
        slots,
        pollMs,
        (duration, count, width, every) => {
          const polls = simulate(Array<number>(count).fill(duration), width, every);
          for (const { left, truth, at, seenAt } of polls) {
            if (left === undefined) continue;
            // A poll sees a wave up to `every` late, at both ends of the interval that gives the throughput. The
            // interval may be shorter than 10 s if no task has ended since.
            const coveredMs = Math.min(seenAt, Math.max(10_000, seenAt / 4));
            const late = (truth + duration + every) * (every / (coveredMs - every));
            const error = Math.abs(left - truth);
            const allowed = duration + 2 * every + late;
            assert.ok(error <= allowed, `${left} instead of ${truth} at ${at}`);
          }
        },
      ),
      { numRuns: 200, examples: [[6_005, 105, 5, 2_000]] },
    );
  });

  test("of tasks of mixed lengths in random order is right within a factor of 3, and a few tasks", () => {
    // Biased values would put the shortest tasks first and the longest last, which no throughput can predict.
    const duration = fc.noBias(fc.integer({ min: 1_000, max: 10_000 }));
    fc.assert(
      fc.property(
        fc.array(duration, { minLength: 40, maxLength: 300 }),
        slots,
        pollMs,
        (durations, width, every) => {
          for (const { left, truth } of simulate(durations, width, every)) {
            if (left === undefined) continue;
            const slack = 2 * 10_000 + 2 * every;
            assert.ok(left <= 3 * truth + slack && truth <= 3 * left + slack);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test("is unknown before 5 tasks have ended and 10 s have passed, and never negative", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 100 }),
        slots,
        pollMs,
        (durations, width, every) => {
          for (const { at, left, done } of simulate(durations, width, every)) {
            if (at < 10_000 || done < 5) assert.equal(left, undefined);
            assert.ok(left === undefined || left > 0);
          }
        },
      ),
    );
  });

  test("is unknown once the last task takes longer than the others", () => {
    const polls = simulate([...Array<number>(50).fill(2_000), 600_000], 5, 2_000);
    const late = polls.filter(({ at }) => at > 60_000);
    assert.ok(late.length > 0);
    for (const { left } of late) assert.equal(left, undefined);
  });

  test("keeps at most 64 marks of a long stage", () => {
    let pace: StagePace = [];
    const stage: StageProgress = {
      ...{ stageId: 1, attemptId: 0, name: "", description: undefined, failed: 0, killed: 0 },
      ...{ tasks: 10_000, done: 0, active: 8, startedAt: 0 },
    };
    for (let done = 1; done < 10_000; done += 1) {
      pace = observePace(pace, { ...stage, done }, done * 1_000);
      assert.ok(pace.length <= 64);
    }
    const left = remainingMs(pace, { ...stage, done: 9_999 }, 9_999_000);
    assert.ok(left !== undefined && left <= 2_000);
  });
});
