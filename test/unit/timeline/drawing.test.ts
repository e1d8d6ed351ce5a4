import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import {
  accumulateCounts,
  countsOf,
  downsample,
} from "../../../src/spark/timeline/executorCounts.ts";
import { plotsOf, translatedPlots } from "../../../src/spark/timeline/plots.ts";
import { csvOf, describeValue, highestIn, svgOf } from "../../../src/spark/timeline/plotText.ts";
import { describeSpent } from "../../../src/spark/timeline/spent.ts";
import type { StateChange } from "../../../src/spark/timeline/stateChange.ts";
import {
  addChanges,
  addMark,
  addSample,
  addSpent,
  emptyTimeline,
  putStages,
  type Timeline,
} from "../../../src/spark/timeline/timeline.ts";
import { sampleFixture, spanFixture } from "./timelineFixture.ts";

const start = Date.parse("2026-11-24T10:00:00Z");
const change = (
  second: number,
  pod: string,
  from: StateChange["from"],
  to: StateChange["to"],
  reasons: Partial<StateChange> = {},
): StateChange => ({
  ...{ at: start + 1_000 * second, pod, from, to, fromReason: undefined, reason: undefined },
  ...reasons,
});

/** Returns a timeline of two executors: one waits, runs and fails; the other one runs. */
function someTimeline(): Timeline {
  let timeline = addChanges(emptyTimeline, [
    change(0, "driver", undefined, "running"),
    change(1, "1", undefined, "pending", { reason: "memory" }),
    change(1, "2", undefined, "pending"),
    change(3, "1", "pending", "running", { fromReason: "memory" }),
    change(4, "2", "pending", "running"),
    change(8, "1", "running", "leaving"),
    change(9, "1", "leaving", "failed"),
  ]);
  timeline = addMark(timeline, {
    at: start + 9_000,
    kind: "failed",
    pod: "1",
    exit: "137 OOMKilled",
  });
  timeline = addMark(timeline, { at: start + 10_000, kind: "killed", pod: "driver", exit: "" });
  const memory = { memorySpilledBytes: 3 << 20, diskSpilledBytes: 1 << 20 };
  timeline = addSample(
    timeline,
    sampleFixture({ at: start + 4_000, taskMs: 1_000, gcMs: 100, ...memory }),
  );
  timeline = addSample(
    timeline,
    sampleFixture({
      at: start + 6_000,
      taskMs: 3_000,
      gcMs: 600,
      target: undefined,
      inputBytes: 1 << 30,
    }),
  );
  timeline = addSample(
    timeline,
    sampleFixture({ at: start + 7_000, taskMs: 3_000, gcMs: 600, peakBytes: undefined }),
  );
  return putStages(timeline, [
    spanFixture({ stageId: 1, submittedAt: start + 4_000, endedAt: start + 5_000 }),
    spanFixture({
      stageId: 2,
      attemptId: 1,
      submittedAt: start + 4_500,
      endedAt: undefined,
      status: "ACTIVE",
      failed: 1,
    }),
    spanFixture({ stageId: 3, submittedAt: undefined, status: "PENDING" }),
  ]);
}

test("a timeline is drawn and printed as in the golden file", (t) => {
  const plots = translatedPlots(plotsOf(someTimeline(), start + 12_000), inEnglish);
  const tags = svgOf(plots, "etl & <more>").replaceAll("><", ">\n<");
  const text = `${csvOf(plots)}\n${tags}`;
  t.assert.fileSnapshot(text, join(import.meta.dirname, "drawing.txt"), {
    serializers: [(value: string) => value],
  });
});

describe("the record that a timeline covers", () => {
  const rangeOf = (timeline: Timeline, now: number) => {
    const { from, to } = plotsOf(timeline, now);
    return [from, to];
  };
  test("begins at the first known moment and ends now", () => {
    assert.deepEqual(rangeOf(emptyTimeline, 5), [5, 5]);
    assert.deepEqual(rangeOf(someTimeline(), start + 20_000), [start + 1_000, start + 20_000]);
    const sampled = addSample(emptyTimeline, sampleFixture({ at: 3 }));
    assert.deepEqual(rangeOf(sampled, 9), [3, 9]);
    const staged = putStages(sampled, [spanFixture({ submittedAt: 2 })]);
    assert.deepEqual(rangeOf(staged, 9), [2, 9]);
  });

  test("repeats the last count unless it is of now", () => {
    const timesOf = (now: number) => {
      const [plot] = plotsOf(
        addChanges(emptyTimeline, [change(0, "1", undefined, "running")]),
        now,
      ).plots;
      return plot?.form === "stack" ? plot.times : undefined;
    };
    assert.deepEqual(timesOf(start), [start]);
    assert.deepEqual(timesOf(start + 1), [start, start + 1]);
  });
});

describe("the counts of executors", () => {
  test("change by phase and reason, one point for each moment, without the driver", () => {
    const counts = { pending: 0, running: 0, leaving: 0, unknown: 0, failed: 0, finished: 0 };
    assert.deepEqual(countsOf(someTimeline()).slice(0, 3), [
      { ...counts, at: start + 1_000, pending: 2, reasons: { memory: 1 } },
      { ...counts, at: start + 3_000, pending: 1, running: 1, reasons: { memory: 0 } },
      { ...counts, at: start + 4_000, running: 2, reasons: { memory: 0 } },
    ]);
    const before = { ...counts, at: 1, running: 3, reasons: { memory: 2 } };
    assert.deepEqual(accumulateCounts([change(0, "9", "running", "finished")], before), [
      { ...before, at: start, running: 2, finished: 1 },
    ]);
    assert.deepEqual(accumulateCounts([change(0, "driver", "running", "failed")], undefined), []);
  });

  test("keep the ends and extremes of each bucket when they are downsampled", () => {
    const values = [5, 1, 9, 5, 5, 5, 5, 7, 2, 5];
    const kept = (max: number) => downsample(values, max, (value) => [value]);
    assert.deepEqual(kept(10), values);
    assert.deepEqual(kept(9), [5, 1, 9, 5, 5, 7, 2, 5]);
    assert.deepEqual(kept(4), [5, 1, 9, 5]);
    assert.deepEqual(kept(1), [5, 1, 9, 5]);
    assert.deepEqual(
      downsample([], 0, () => []),
      [],
    );
  });
});

describe("the texts of values", () => {
  test("have a unit and few digits", () => {
    const bytes = (value: number) => describeValue(value, "bytes");
    assert.deepEqual([0, 1, 1023, 1024, 1536].map(bytes), [
      "0 B",
      "1 B",
      "1023 B",
      "1 KiB",
      "1.5 KiB",
    ]);
    assert.deepEqual([1.234 * 2 ** 20, 12.34 * 2 ** 30, 2 ** 40, 2 ** 50].map(bytes), [
      ...["1.23 MiB", "12.3 GiB", "1 TiB", "1024 TiB"],
    ]);
    assert.deepEqual(
      [1.234, 0, 1_234_567, 0.005].map((value) => describeValue(value, "count")),
      [...["1.23", "0", "1,234,567", "0.01"]],
    );
    assert.deepEqual(
      [12.34, 100].map((value) => describeValue(value, "percent")),
      ["12.3 %", "100 %"],
    );
  });

  test("of requested resources have three digits, or none after the point from 100 on", () => {
    const spent = (hours: number) =>
      inEnglish(
        describeSpent(
          addSpent(addSpent(emptyTimeline, { coreMs: 1_800_000 * hours, byteMs: 0 }), {
            ...{ coreMs: 1_800_000 * hours, byteMs: 2 ** 31 * 3_600_000 * hours },
          }).spent,
        ),
      );
    assert.equal(spent(1), "1 core-hours · 2 GiB-hours");
    assert.equal(spent(1.2345), "1.23 core-hours · 2.47 GiB-hours");
    assert.equal(spent(99.96), "100 core-hours · 200 GiB-hours");
    assert.equal(spent(100.4), "100 core-hours · 201 GiB-hours");
    assert.equal(spent(1234.5), "1235 core-hours · 2469 GiB-hours");
  });
});

test("the highest value of a period includes the neighbors that are drawn into it", () => {
  const plot = (form: "stack" | "steps" | "lines") => ({
    ...{ form, id: "x", title: "x", empty: "", unit: "count" as const },
    times: [0, 10, 20, 30, 40],
    series: [
      { name: "a", color: "red" as const, values: [9, 1, 2, 3, 8] },
      { name: "b", color: "red" as const, values: [1, 1, undefined, null, 1] },
    ],
  });
  const highest = (form: "stack" | "steps" | "lines", from: number, to: number) =>
    highestIn(plot(form), { from, to });
  assert.deepEqual(
    (["stack", "steps", "lines"] as const).map((form) => highest(form, 12, 35)),
    [3, 3, 8],
  );
  assert.deepEqual(
    (["stack", "steps", "lines"] as const).map((form) => highest(form, 5, 15)),
    [10, 9, 9],
  );
  assert.equal(highest("steps", 10, 30), 3);
  assert.equal(highest("lines", 10, 29), 3);
  assert.equal(highest("steps", 10, 39), 3);
  assert.equal(highest("steps", 10, 40), 8);
  assert.equal(highest("steps", -10, -5), 0);
  assert.equal(highest("steps", 100, 200), 8);
  assert.equal(highestIn({ ...plot("steps"), times: [], series: [] }, { from: 0, to: 1 }), 0);
});
