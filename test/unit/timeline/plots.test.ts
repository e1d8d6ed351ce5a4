import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish, msg, type Message } from "../../../src/base/message.ts";
import {
  addToTotals,
  decodeReported,
  decodeReportedUsage,
  noTotals,
} from "../../../src/spark/diagnosis/driverReport.ts";
import { sampleOf, type DriverSample } from "../../../src/spark/timeline/driverSample.ts";
import {
  plotsOf,
  translatedPlots,
  type Plot,
  type SeriesPlot,
  type TimelinePlots,
} from "../../../src/spark/timeline/plots.ts";
import {
  csvOf,
  describeValue,
  highestIn,
  opaqueOf,
  rowsOfBars,
  stackedOf,
  svgOf,
} from "../../../src/spark/timeline/plotText.ts";
import { decodeSpan } from "../../../src/spark/timeline/stageSpan.ts";
import {
  addChanges,
  addMark,
  addSample,
  emptyTimeline,
  putStages,
  type Timeline,
} from "../../../src/spark/timeline/timeline.ts";
import { recordedDrivers, sampleFixture, spanFixture } from "./timelineFixture.ts";

type Recorded = readonly Readonly<Record<string, unknown>>[];

function sampleIn(executors: Recorded, stages: Recorded, at: number): DriverSample {
  const reported = executors.flatMap((item) => decodeReported(item) ?? []);
  const registered = new Set(reported.filter(({ isActive }) => isActive).map(({ id }) => id));
  const usage = new Map(executors.map(decodeReportedUsage).filter((used) => used !== undefined));
  const totals = executors.reduce<typeof noTotals>(addToTotals, noTotals);
  const sum = (name: string): number => sumOf(stages, name);
  const sample = sampleOf(
    { registered, usage, totals },
    {
      at,
      allocation: { kind: "fixed", instances: 2 },
      limitBytes: 939_524_096,
      spilled: { memory: sum("memoryBytesSpilled"), disk: sum("diskBytesSpilled") },
    },
  );
  assert.ok(sample);
  return sample;
}

const sumOf = (items: Recorded, name: string): number =>
  items.reduce((sum, item) => sum + Number(item[name] ?? 0), 0);

const plotIn = (plots: readonly Plot[], id: string): Plot => {
  const found = plots.find((plot) => plot.id === id);
  assert.ok(found, id);
  return found;
};

const valuesIn = (
  plots: readonly Plot[],
  id: string,
  name: string,
): SeriesPlot["series"][number]["values"] => {
  const plot = plotIn(plots, id);
  assert.ok(plot.form !== "bars");
  const series = plot.series.find((one) => inEnglish(one.name) === name);
  assert.ok(series, name);
  return series.values;
};

describe("the numbers in plots", () => {
  for (const version of ["4.3.0", "3.5.9"] as const) {
    test(`equal the answers of a driver of Spark ${version}`, () => {
      const moments = [...recordedDrivers(version)].filter(([name]) => name.startsWith("etl/"));
      let timeline: Timeline = emptyTimeline;
      for (const [index, [, { allexecutors, stages }]] of moments.entries()) {
        timeline = addSample(timeline, sampleIn(allexecutors, stages, index * 10_000));
        timeline = putStages(
          timeline,
          stages.flatMap((item) => decodeSpan(item) ?? []),
        );
      }
      const { plots } = plotsOf(timeline, moments.length * 10_000);
      for (const [index, [moment, { allexecutors, stages }]] of moments.entries()) {
        const executors = allexecutors.filter(({ id }) => id !== "driver");
        const active = executors.filter(({ isActive }) => isActive === true);
        const peaks = active.map(({ peakMemoryMetrics: peak }) => {
          const of = (name: string): number =>
            (peak as Record<string, number> | undefined)?.[name] ?? 0;
          const resident =
            of("ProcessTreeJVMRSSMemory") +
            of("ProcessTreePythonRSSMemory") +
            of("ProcessTreeOtherRSSMemory");
          return Math.max(of("JVMHeapMemory") + of("JVMOffHeapMemory"), resident);
        });
        const expected: readonly (readonly [string, string, number | undefined])[] = [
          ["requested", "registered with the driver", active.length],
          ["tasks", "task slots", sumOf(active, "maxTasks")],
          ["tasks", "all executors", sumOf(active, "activeTasks")],
          [
            "tasks",
            "busiest executor",
            Math.max(...active.map((one) => Number(one["activeTasks"]))),
          ],
          ["memory", "peak since its start", Math.max(...peaks) || undefined],
          ["memory", "container limit", 939_524_096],
          ["shuffle", "input", sumOf(executors, "totalInputBytes")],
          ["shuffle", "shuffle read", sumOf(executors, "totalShuffleRead")],
          ["shuffle", "shuffle write", sumOf(executors, "totalShuffleWrite")],
          ["spill", "in memory", sumOf(stages, "memoryBytesSpilled")],
          ["spill", "on disk", sumOf(stages, "diskBytesSpilled")],
        ];
        for (const [id, name, value] of expected) {
          assert.equal(valuesIn(plots, id, name)[index], value, `${moment}: ${id}, ${name}`);
        }
      }
      // The first sample has no previous one, so its share covers the time since the start.
      const [, first] = moments[0] ?? [];
      const executors = (first?.allexecutors ?? []).filter(({ id }) => id !== "driver");
      const share = (100 * sumOf(executors, "totalGCTime")) / sumOf(executors, "totalDuration");
      assert.equal(valuesIn(plots, "gc", "garbage collection")[0], share);
    });

    test(`of stages equal the answers of a driver of Spark ${version}`, () => {
      const { stages } = recordedDrivers(version).get("fail/fetch-done") ?? { stages: [] };
      const timeline = putStages(
        emptyTimeline,
        stages.flatMap((item) => decodeSpan(item) ?? []),
      );
      const plot = plotIn(plotsOf(timeline, 0).plots, "stages");
      assert.ok(plot.form === "bars" && stages.length > 3);
      const shown = plot.bars.map(({ from, to, target }) => ({ from, to, target }));
      const asked = stages
        .filter(
          ({ submissionTime, firstTaskLaunchedTime }) => submissionTime ?? firstTaskLaunchedTime,
        )
        .map((stage) => ({
          from: Date.parse(String(stage["submissionTime"]).replace("GMT", "Z")),
          to: Date.parse(String(stage["completionTime"]).replace("GMT", "Z")),
          target: {
            kind: "stage",
            key: `${String(stage["stageId"])}.${String(stage["attemptId"])}`,
          },
        }))
        .sort((a, b) => (keyOf(a.target.key) < keyOf(b.target.key) ? -1 : 1));
      assert.deepEqual(shown, asked);
    });
  }
});

const keyOf = (key: string): string => key.replace(/\d+/g, (digits) => digits.padStart(5, "0"));

const someTimeline = (): Timeline => {
  const common = { fromReason: undefined, reason: undefined };
  let timeline = addChanges(emptyTimeline, [
    { ...common, at: 0, pod: "1", from: undefined, to: "pending", reason: "cpu" },
    { ...common, at: 0, pod: "2", from: undefined, to: "pending", reason: "image" },
    { ...common, at: 5_000, pod: "1", from: "pending", fromReason: "cpu", to: "running" },
    { ...common, at: 9_000, pod: "1", from: "running", to: "failed" },
  ]);
  timeline = addMark(timeline, { at: 9_000, kind: "failed", pod: "1", exit: "137 OOMKilled" });
  return addSample(timeline, sampleFixture({ at: 6_000 }));
};

const englishPlots = (timeline: Timeline): TimelinePlots<string> =>
  translatedPlots(plotsOf(timeline, 10_000), inEnglish);

describe("plots", () => {
  test("show pending executors by reason, and executors by state until now", () => {
    const { plots, from, to } = plotsOf(someTimeline(), 10_000);
    assert.deepEqual([from, to], [0, 10_000]);
    assert.deepEqual(valuesIn(plots, "pending", "no node has enough CPU"), [1, 0, 0, 0]);
    assert.deepEqual(valuesIn(plots, "pending", "pulling the image"), [1, 1, 1, 1]);
    assert.deepEqual(valuesIn(plots, "executors", "running"), [0, 1, 0, 0]);
    assert.deepEqual(valuesIn(plots, "requested", "requested"), [undefined, undefined, 2, 2, 2]);
  });

  test("say why they are empty", () => {
    const emptyTexts = (timeline: Timeline, unread?: Message) =>
      plotsOf(timeline, 10_000, unread).plots.map(({ id, empty }) => `${id}: ${inEnglish(empty)}`);
    assert.deepEqual(emptyTexts(emptyTimeline), [
      "executors: No executors yet",
      "requested: No executors yet",
      "pending: No executor was pending",
      "lives: No executors yet",
      "ended: No executors yet",
      "tasks: No metrics from the driver",
      "stages: No metrics from the driver",
      "memory: No metrics from the driver",
      "gc: No metrics from the driver",
      "shuffle: No metrics from the driver",
      "spill: No metrics from the driver",
      "marks: No kills, decommissions or failures",
    ]);
    const unread = msg("not permitted");
    assert.equal(emptyTexts(emptyTimeline, unread)[5], "tasks: not permitted");
    const sampled = addSample(emptyTimeline, sampleFixture({ at: 1_000 }));
    assert.equal(emptyTexts(sampled)[6], "stages: No stages yet");
  });

  test("have no requested and no registered executors after the end of the driver", () => {
    const sampled = addSample(emptyTimeline, sampleFixture({ at: 1_000 }));
    const change = { from: undefined, fromReason: undefined, reason: undefined };
    const ended = addChanges(sampled, [
      { ...change, at: 500, pod: "driver", to: "running" },
      { ...change, at: 500, pod: "1", to: "running" },
      { ...change, at: 2_000, pod: "driver", from: "running", to: "finished" },
      { ...change, at: 2_000, pod: "1", from: "running", to: "finished" },
    ]);
    const { plots } = plotsOf(ended, 3_000);
    const inPlot = (name: string) => valuesIn(plots, "requested", name);
    assert.deepEqual(inPlot("running pods"), [1, 1, 0, 0]);
    assert.deepEqual(inPlot("requested"), [undefined, 2, undefined, undefined]);
    assert.deepEqual(inPlot("registered with the driver"), [undefined, 2, undefined, undefined]);
  });

  test("stack areas before anything is left out", () => {
    const plot = plotIn(plotsOf(someTimeline(), 10_000).plots, "executors");
    assert.ok(plot.form !== "bars");
    assert.deepEqual(stackedOf(plot).at(-1), [2, 2, 1, 1]);
  });

  test("put stages that do not overlap into one row", () => {
    const span = (stageId: number, submittedAt: number, endedAt: number | undefined) =>
      spanFixture({ stageId, submittedAt, endedAt });
    const timeline = putStages(emptyTimeline, [
      span(0, 0, 10),
      span(1, 5, undefined),
      span(2, 10, 20),
    ]);
    const plot = plotIn(plotsOf(timeline, 30).plots, "stages");
    assert.ok(plot.form === "bars");
    assert.deepEqual(
      rowsOfBars(plot).map((row) => row.map(({ name, to }) => [inEnglish(name), to])),
      [
        [
          ["stage 0", 10],
          ["stage 2", 20],
        ],
        [["stage 1", 30]],
      ],
    );
  });

  test("draw the 60 longest stages, and print all of them as CSV", () => {
    const spans = Array.from({ length: 62 }, (_, at) =>
      spanFixture({ stageId: at, submittedAt: at, endedAt: 100 + at * 2 }),
    );
    const timeline = putStages(emptyTimeline, spans);
    const plot = plotIn(plotsOf(timeline, 300).plots, "stages");
    assert.ok(plot.form === "bars");
    assert.deepEqual(
      [inEnglish(plot.title), plot.bars.length, plot.hidden.map(({ name }) => inEnglish(name))],
      ["Stages (longest 60)", 60, ["stage 1", "stage 0"]],
    );
    assert.equal(csvOf(englishPlots(timeline)).match(/^stages,/gm)?.length, 62);
  });

  test("show the phases of each executor and its end in a row", () => {
    const timeline = addChanges(someTimeline(), [
      {
        at: 20,
        pod: "driver",
        from: undefined,
        fromReason: undefined,
        to: "pending",
        reason: "cpu",
      },
    ]);
    const plot = plotIn(plotsOf(timeline, 10_000).plots, "lives");
    assert.ok(plot.form === "bars");
    assert.deepEqual(
      rowsOfBars(plot).map((row) =>
        row.map(({ name, from, to, color, text }) => [
          inEnglish(name),
          from,
          to,
          color,
          inEnglish(text),
        ]),
      ),
      [
        [
          ["executor 1", 0, 5_000, "yellow", "pending: no node has enough CPU"],
          ["executor 1", 5_000, 9_000, "green", "running"],
          ["executor 1", 9_000, 9_000, "red", "executor 1 failed: 137 OOMKilled"],
        ],
        [["executor 2", 0, 10_000, "yellow", "pending: pulling the image"]],
      ],
    );
  });

  test("show the newest executors if there are many", () => {
    const changes = Array.from({ length: 100 }, (_, at) => ({
      ...{ at, pod: `${at + 1}`, from: undefined, fromReason: undefined },
      ...{ to: "running" as const, reason: undefined },
    }));
    const plot = plotIn(plotsOf(addChanges(emptyTimeline, changes), 200).plots, "lives");
    assert.ok(plot.form === "bars");
    assert.equal(inEnglish(plot.title), "Executors (newest 60)");
    assert.deepEqual([plot.bars.length, plot.bars[0]?.from, plot.bars.at(-1)?.from], [60, 40, 99]);
  });

  test("count ended executors", () => {
    const { plots } = plotsOf(someTimeline(), 10_000);
    assert.deepEqual(valuesIn(plots, "ended", "failed"), [0, 0, 1, 1]);
    assert.deepEqual(valuesIn(plots, "ended", "ended without failure"), [0, 0, 0, 0]);
  });

  test("name an executor, its end and its exit code in a mark", () => {
    const { marks } = plotsOf(someTimeline(), 10_000);
    assert.deepEqual(
      marks.map(({ at, text, target }) => [at, inEnglish(text), target]),
      [[9_000, "executor 1 failed: 137 OOMKilled", { kind: "executor", id: "1" }]],
    );
  });

  test("print all values as CSV without formulas", () => {
    const timeline = addMark(someTimeline(), { at: 1, kind: "failed", pod: '=x"', exit: "1" });
    const csv = csvOf(englishPlots(timeline));
    assert.match(csv, /^plot,series,from,to,value\nexecutors,running,1970-01-01T00:00:00.000Z,/);
    assert.match(
      csv,
      /\nmemory,container limit,1970-01-01T00:00:06.000Z,1970-01-01T00:00:06.000Z,939524096\n/,
    );
    assert.ok(!/(?:^|,)=/m.test(csv));
  });

  test("print as SVG in which a text cannot become markup", () => {
    const timeline = addMark(someTimeline(), {
      at: 1,
      kind: "killed",
      pod: "<script>&\"'",
      exit: "",
    });
    const svg = svgOf(englishPlots(timeline), "<b>pi</b>");
    assert.ok(svg.startsWith("<svg ") && svg.endsWith("</svg>\n"));
    assert.ok(!svg.includes("<script") && !svg.includes("<b>") && !svg.includes("NaN"));
    assert.ok(svg.includes("executor &#60;script&#62;"));
  });

  test("survive a record with absurd times", () => {
    const timeline = addMark(someTimeline(), { at: 1e300, kind: "killed", pod: "1", exit: "" });
    assert.ok(!svgOf(englishPlots(timeline), "pi").includes("NaN"));
    assert.match(csvOf(englishPlots(timeline)), /1e\+300/);
  });

  test("count steps that begin before the visible period into the height of a plot", () => {
    const [executors, , pending] = englishPlots(someTimeline()).plots;
    assert.ok(executors !== undefined && executors.form !== "bars");
    assert.ok(pending !== undefined && pending.form !== "bars");
    // Two executors are pending from 0 to 5 s.
    assert.equal(highestIn(pending, { from: 1_000, to: 2_000 }), 2);
    assert.equal(highestIn(pending, { from: 5_000, to: 9_500 }), 1);
    assert.equal(highestIn(executors, { from: 9_500, to: 10_000 }), 1);
    const line = { ...executors, form: "lines" as const, times: [0, 10] };
    const series = [{ name: "a", color: "red" as const, values: [1, 9] }];
    assert.equal(highestIn({ ...line, series }, { from: 4, to: 6 }), 9);
    assert.equal(highestIn({ ...line, series: [], times: [] }, { from: 4, to: 6 }), 0);
  });

  test("have opaque colors, as a line in a third of its color cannot be seen", () => {
    assert.deepEqual(
      ["rgba(234, 92, 0, 0.33)", "#ea5c0055", "#f008", "#cca700", "rgb(1, 2, 3)"].map(opaqueOf),
      ["rgb(234, 92, 0)", "#ea5c00", "#f00", "#cca700", "rgb(1, 2, 3)"],
    );
  });

  test("describe values with their unit", () => {
    assert.deepEqual(
      [
        describeValue(1_500, "count"),
        describeValue(939_524_096, "bytes"),
        describeValue(3.456, "percent"),
      ],
      ["1,500", "896 MiB", "3.5 %"],
    );
  });
});
