import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { countsOf, downsample } from "../../../src/spark/timeline/executorCounts.ts";
import type { PodPhase, StateChange } from "../../../src/spark/timeline/stateChange.ts";
import {
  addChanges,
  addMark,
  addSample,
  emptyTimeline,
  putStages,
  timelineLimits,
  type Timeline,
} from "../../../src/spark/timeline/timeline.ts";
import { sampleFixture, spanFixture } from "./timelineFixture.ts";

const phases: readonly PodPhase[] = ["pending", "running", "leaving", "failed", "finished"];

/** Returns the changes of executors that enter the next phase at the given times. */
function changesOf(moves: readonly { readonly pod: number; readonly at: number }[]): StateChange[] {
  const last = new Map<number, number>();
  return moves.flatMap(({ pod, at }) => {
    const before = last.get(pod);
    const next = before === undefined ? 0 : before + 1;
    const to = phases[next];
    if (to === undefined) return [];
    last.set(pod, next);
    return [
      {
        ...{ at, pod: String(pod), from: before === undefined ? undefined : phases[before], to },
        fromReason: before === 0 ? ("cpu" as const) : undefined,
        reason: to === "pending" ? ("cpu" as const) : undefined,
      },
    ];
  });
}

const someMoves = fc.array(
  fc.record({ pod: fc.integer({ min: 0, max: 3_000 }), gap: fc.integer({ min: 0, max: 5_000 }) }),
  { maxLength: 400 },
);

const timed = (moves: readonly { readonly pod: number; readonly gap: number }[]) => {
  let at = 0;
  return moves.map(({ pod, gap }) => ({ pod, at: (at += gap) }));
};

describe("a timeline", () => {
  test("keeps every change in order as long as there are fewer than the limit", () => {
    fc.assert(
      fc.property(someMoves, (moves) => {
        const changes = changesOf(timed(moves));
        const { changes: kept, folded } = addChanges(emptyTimeline, changes);
        assert.deepEqual(kept, changes);
        assert.deepEqual(folded, []);
      }),
      { numRuns: 50 },
    );
  });

  test("orders changes that arrive late", () => {
    fc.assert(
      fc.property(someMoves, fc.integer(), (moves, seed) => {
        const changes = changesOf(timed(moves));
        const mixed = changes
          .map((change, index) => ({ change, rank: (index * 7_919 + seed) % 104_729 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ change }) => change);
        const timeline = mixed.reduce((sum, one) => addChanges(sum, [one]), emptyTimeline);
        assert.deepEqual(
          timeline.changes.map(({ at }) => at),
          changes.map(({ at }) => at),
        );
      }),
      { numRuns: 50 },
    );
  });

  test("stays bounded, and still counts every executor, above the limit", () => {
    const batches = 40;
    let timeline: Timeline = emptyTimeline;
    for (let batch = 0; batch < batches; batch += 1) {
      const moves = Array.from({ length: 1_000 }, (_, index) => ({
        pod: batch * 250 + (index % 250),
        at: batch * 10_000 + index,
      }));
      timeline = addChanges(timeline, changesOf(moves));
      assert.ok(timeline.changes.length <= timelineLimits.changes);
      assert.ok(timeline.folded.length <= timelineLimits.folded);
    }
    const counts = countsOf(timeline);
    const last = counts.at(-1);
    // Each executor passed through four phases: pending, running, leaving, failed.
    assert.deepEqual(
      {
        pending: last?.pending,
        running: last?.running,
        leaving: last?.leaving,
        failed: last?.failed,
      },
      { pending: 0, running: 0, leaving: 0, failed: batches * 250 },
    );
    assert.deepEqual(last?.reasons, { cpu: 0 });
    assert.ok(counts.every(({ at }, index) => index === 0 || (counts[index - 1]?.at ?? 0) <= at));
    // A batch has at most 250 executors at a time, and reaches that number.
    assert.equal(Math.max(...counts.map(({ running }) => running)), 250);
    assert.equal(Math.min(...counts.map(({ pending }) => pending)), 0);
  });

  test("conserves the executors at each moment", () => {
    fc.assert(
      fc.property(someMoves, (moves) => {
        const changes = changesOf(timed(moves));
        for (const point of countsOf(addChanges(emptyTimeline, changes))) {
          const seen = new Set(changes.filter(({ at }) => at <= point.at).map(({ pod }) => pod));
          const sum = phases.reduce((total, phase) => total + point[phase], 0);
          assert.equal(sum, seen.size);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("bounds marks, samples and stages", () => {
    let timeline: Timeline = emptyTimeline;
    for (let at = 0; at < 3_000; at += 1) {
      timeline = addMark(timeline, { at, kind: "killed", pod: String(at), exit: "" });
      timeline = addSample(timeline, sampleFixture({ at, activeTasks: at === 1_234 ? 99 : 1 }));
      timeline = putStages(timeline, [spanFixture({ stageId: at })]);
    }
    assert.equal(timeline.marks.length, timelineLimits.marks);
    assert.equal(timeline.marks.at(-1)?.at, 2_999);
    assert.ok(timeline.samples.length <= timelineLimits.samples);
    assert.equal(Math.max(...timeline.samples.map(({ activeTasks }) => activeTasks)), 99);
    assert.equal(timeline.stages.length, timelineLimits.stages);
    assert.equal(timeline.stages.at(-1)?.stageId, 2_999);
  });

  test("halves the samples when it thins them, so that it rarely does", () => {
    let timeline: Timeline = emptyTimeline;
    let before = 0;
    const drops: number[] = [];
    for (let at = 0; at < 3 * timelineLimits.samples; at += 1) {
      timeline = addSample(timeline, sampleFixture({ at, activeTasks: at }));
      if (timeline.samples.length < before) drops.push(timeline.samples.length);
      before = timeline.samples.length;
    }
    assert.ok(drops.length >= 2 && drops.length <= 4, String(drops));
    for (const left of drops) assert.ok(left <= timelineLimits.samples / 2);
  });

  test("keeps the extremes and the ends of a thinned series", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer(), fc.integer()), { minLength: 1, maxLength: 2_000 }),
        fc.integer({ min: 6, max: 200 }),
        (points, max) => {
          const kept = downsample(points, max, (point) => point);
          assert.ok(kept.length <= Math.max(max, 6));
          assert.deepEqual([kept[0], kept.at(-1)], [points[0], points.at(-1)]);
          for (const dimension of [0, 1] as const) {
            const of = (all: readonly (readonly [number, number])[]): readonly number[] =>
              all.map((point) => point[dimension]);
            assert.equal(Math.max(...of(kept)), Math.max(...of(points)));
            assert.equal(Math.min(...of(kept)), Math.min(...of(points)));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
