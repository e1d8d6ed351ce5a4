import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BarPlot, PlotBar, SeriesPlot } from "../../../src/spark/timeline/plots.ts";
import {
  axisTimes,
  barAt,
  barText,
  isEmptyPlot,
  isSameShape,
  nextBar,
  nextPoint,
  pointAt,
  chartValues,
  plotKeyOf,
  pointText,
  scaledRange,
  storedRange,
  tableRows,
  valueRange,
  valueSteps,
  valueText,
  wholeRange,
  zoomOf,
} from "../../../src/spark/timeline/plotView.ts";

const series = (given: Partial<SeriesPlot<string>> = {}): SeriesPlot<string> => ({
  ...{
    form: "lines",
    id: "memory",
    title: "Memory",
    empty: "none",
    unit: "bytes",
    times: [1_000, 2_000],
  },
  series: [
    { name: "used", color: "green", values: [1024, undefined] },
    { name: "free", color: "blue", values: [null, 2048] },
  ],
  ...given,
});
const bar = (name: string, from: number, to: number, id = name): PlotBar<string> => ({
  ...{ name, from, to, color: "red", text: `text of ${name}` },
  target: { kind: "executor", id },
});
const bars = (...given: readonly PlotBar<string>[]): BarPlot<string> => ({
  ...{
    form: "bars",
    id: "stages",
    title: "Stages",
    empty: "none",
    isNamed: true,
    bars: given,
    hidden: [],
  },
});
const clock = (at: number): string => new Date(at).toISOString().slice(11, 19);
const labels = {
  ...{ time: "Time", until: "Until", name: "Name", details: "Details", bytes: "bytes" },
} as Parameters<typeof tableRows>[1];

describe("data of a plot", () => {
  test("is empty without times, series or bars", () => {
    assert.equal(isEmptyPlot(series()), false);
    assert.equal(isEmptyPlot(series({ times: [] })), true);
    assert.equal(isEmptyPlot(series({ series: [] })), true);
    assert.equal(isEmptyPlot(bars()), true);
    assert.equal(isEmptyPlot(bars(bar("a", 1, 2))), false);
  });

  test("has seconds, and null for unknown values", () => {
    assert.deepEqual(chartValues(series()), [
      [1, 2],
      [1024, null],
      [null, 2048],
    ]);
  });

  test("has the top of a stack first", () => {
    const stack = series({
      form: "stack",
      series: [
        { name: "a", color: "green", values: [1, 2] },
        { name: "b", color: "blue", values: [10, 20] },
      ],
    });
    assert.deepEqual(chartValues(stack), [
      [1, 2],
      [11, 22],
      [1, 2],
    ]);
  });

  test("of bars spans all of them", () => {
    assert.deepEqual(chartValues(bars(bar("a", 5_000, 9_000), bar("b", 2_000, 3_000))), [
      [2, 9],
      [null, null],
    ]);
  });

  test("fits into the chart of the same series, form and size", () => {
    const other = [
      series({ form: "steps" }),
      series({ times: [] }),
      series({ times: Array.from({ length: 40 }, (_, at) => at) }),
      series({ series: [] }),
      bars(),
    ];
    assert.equal(isSameShape(series(), series({ times: [1, 2, 3] })), true);
    assert.equal(
      isSameShape(
        series({ times: Array.from({ length: 40 }, (_, at) => at) }),
        series({ times: Array.from({ length: 41 }, (_, at) => at) }),
      ),
      true,
    );
    for (const plot of other) {
      assert.equal(isSameShape(series(), plot), false);
      assert.equal(isSameShape(plot, series()), false);
    }
    assert.equal(isSameShape(bars(), bars()), false);
  });

  test("has labels at whole numbers, or at powers of two for bytes", () => {
    assert.deepEqual(valueSteps("count").slice(0, 7), [1, 2, 5, 10, 20, 50, 100]);
    assert.deepEqual(valueSteps("count").at(-1), 5_000_000);
    assert.deepEqual(valueSteps("bytes").slice(0, 4), [1, 2, 4, 8]);
    assert.equal(valueSteps("bytes").length, 50);
  });

  test("has room above the highest value, and at least one row of counts", () => {
    assert.deepEqual(valueRange(100, "count"), [0, 105]);
    assert.deepEqual(valueRange(0, "count"), [0, 1]);
    assert.deepEqual(valueRange(0, "percent"), [0, 0.01]);
  });
});

describe("texts of a plot", () => {
  test("show a dash for unknown values", () => {
    assert.deepEqual(
      [valueText(series(), 0, 0), valueText(series(), 0, 1), valueText(series(), 1, 0)],
      ["1 KiB", "–", "–"],
    );
    assert.equal(valueText(series(), 7, 0), "–");
  });

  test("of a point have all values and the marks of that time", () => {
    const mark = (at: number, text: string) =>
      ({ at, text, color: "red", target: { kind: "stage", key: "1" } }) as const;
    assert.equal(
      pointText(series(), 1, [mark(2_000, "failed"), mark(2_001, "later")], clock),
      "00:00:02, used –, free 2 KiB, failed",
    );
  });

  test("of a bar have its period, or its moment", () => {
    assert.equal(
      barText(bar("load", 1_000, 3_000), clock),
      "load · 00:00:01–00:00:03 · text of load",
    );
    assert.equal(barText(bar("load", 1_000, 1_000), clock), "00:00:01 text of load");
  });

  test("of the axis have seconds below a minute between labels", () => {
    const precise = (at: number, precision: string): string => `${at} in ${precision}`;
    assert.deepEqual(axisTimes([0, 59], precise), ["0 in seconds", "59000 in seconds"]);
    assert.deepEqual(axisTimes([0, 60], precise), ["0 in minutes", "60000 in minutes"]);
    assert.deepEqual(axisTimes([90], precise), ["90000 in seconds"]);
    assert.deepEqual(axisTimes([], precise), []);
  });

  test("of the table have the newest first", () => {
    assert.deepEqual(tableRows(series(), labels, String), {
      head: ["Time", "used (bytes)", "free (bytes)"],
      body: [
        ["2000", "–", "2048"],
        ["1000", "1024", "–"],
      ],
    });
    assert.deepEqual(tableRows(bars(bar("a", 1, 2), bar("b", 3, 4)), labels, String), {
      head: ["Time", "Until", "Name", "Details"],
      body: [
        ["3", "4", "b", "text of b"],
        ["1", "2", "a", "text of a"],
      ],
    });
  });

  test("of the table end after 1,000 rows", () => {
    const times = Array.from({ length: 1_001 }, (_, at) => at);
    const { body } = tableRows(series({ times }), labels, String);
    assert.deepEqual([body.length, body[0]?.[0], body.at(-1)?.[0]], [1_000, "1000", "1"]);
  });
});

describe("zoom of the timeline", () => {
  const whole = { from: 1_000, to: 9_000 };

  test("covers at least a second", () => {
    assert.deepEqual(wholeRange({ from: 1_000, to: 1_200 }), { from: 1_000, to: 2_000 });
    assert.deepEqual(wholeRange(whole), whole);
  });

  test("stays inside the record", () => {
    assert.deepEqual(zoomOf({ from: 0, to: 5_000 }, whole), { from: 1_000, to: 5_000 });
    assert.deepEqual(zoomOf({ from: 5_000, to: 99_000 }, whole), { from: 5_000, to: 9_000 });
  });

  test("ends when everything is visible", () => {
    assert.equal(zoomOf({ from: 1_000, to: 9_000 }, whole), "all");
    assert.equal(zoomOf({ from: -Infinity, to: Infinity }, whole), "all");
    assert.notEqual(zoomOf({ from: 1_001, to: 9_000 }, whole), "all");
    assert.notEqual(zoomOf({ from: 1_000, to: 8_999 }, whole), "all");
  });

  test("shows no less than 100 ms", () => {
    assert.equal(zoomOf({ from: 2_000, to: 2_099 }, whole), undefined);
    assert.deepEqual(zoomOf({ from: 2_000, to: 2_100 }, whole), { from: 2_000, to: 2_100 });
  });

  test("keeps the middle, or the time of the cursor", () => {
    assert.deepEqual(scaledRange({ from: 0, to: 100 }, 0.5), { from: 25, to: 75 });
    assert.deepEqual(scaledRange({ from: 0, to: 100 }, 2, 25), { from: -25, to: 175 });
  });

  test("is restored if this version stored it", () => {
    assert.deepEqual(storedRange({ from: 1, to: 2, more: 3 }), { from: 1, to: 2 });
    for (const other of [
      undefined,
      null,
      1,
      { from: 1 },
      { from: 1, to: "2" },
      { from: "1", to: 2 },
    ]) {
      assert.equal(storedRange(other), undefined);
    }
  });
});

describe("keys in a plot", () => {
  const press = (key: string, held: readonly string[] = []) =>
    plotKeyOf({
      key,
      shiftKey: held.includes("shift"),
      ctrlKey: held.includes("ctrl"),
      metaKey: held.includes("meta"),
      altKey: held.includes("alt"),
    });

  test("move, zoom and open", () => {
    assert.deepEqual(press("ArrowLeft"), { kind: "move", by: -1 });
    assert.deepEqual(press("ArrowRight"), { kind: "move", by: 1 });
    assert.deepEqual(press("ArrowRight", ["shift"]), { kind: "move", by: 10 });
    assert.deepEqual(press("Home"), { kind: "move", by: -Infinity });
    assert.deepEqual(press("End"), { kind: "move", by: Infinity });
    for (const key of ["+", "="]) assert.deepEqual(press(key), { kind: "zoom", factor: 0.5 });
    assert.deepEqual(press("-"), { kind: "zoom", factor: 2 });
    for (const key of ["0", "Escape"]) assert.deepEqual(press(key), { kind: "all" });
    assert.deepEqual(press("Enter"), { kind: "open" });
  });

  test("are left to the browser with Ctrl, Alt or Cmd, and otherwise", () => {
    for (const held of ["ctrl", "meta", "alt"]) assert.equal(press("ArrowLeft", [held]), undefined);
    assert.equal(press("a"), undefined);
  });

  test("start at the first or the last point without a cursor", () => {
    const plot = { times: [1, 2, 3] };
    assert.deepEqual(
      [nextPoint(plot, undefined, 1), nextPoint(plot, null, -1), nextPoint(plot, 1, 1)],
      [0, 2, 2],
    );
    assert.deepEqual([nextPoint(plot, 1, 10), nextPoint(plot, 1, -Infinity)], [2, 0]);
  });

  test("a time has the values of the last point of a step function, and of the nearest of a line", () => {
    const times = [10, 20, 60];
    for (const form of ["steps", "stack"] as const) {
      const at = (time: number) => pointAt({ form, times }, time);
      assert.deepEqual([9, 10, 19, 20, 59, 60, 99].map(at), [undefined, 0, 0, 1, 1, 2, 2]);
    }
    const near = (time: number) => pointAt({ form: "lines", times }, time);
    assert.deepEqual([0, 14, 16, 39, 41, 99].map(near), [0, 0, 1, 1, 2, 2]);
    assert.equal(pointAt({ form: "lines", times: [] }, 5), undefined);
  });

  test("move through bars in the order of time", () => {
    const [late, early] = [bar("late", 5, 6), bar("early", 1, 9)];
    const plot = bars(late, early);
    assert.deepEqual(nextBar(plot, undefined, 1), { bar: early, row: 1 });
    assert.deepEqual(nextBar(plot, { ...early }, 1), { bar: late, row: 0 });
    assert.deepEqual(nextBar(plot, late, 1)?.bar, late);
    assert.deepEqual(nextBar(plot, late, -Infinity)?.bar, early);
    assert.equal(nextBar(bars(), undefined, 1), undefined);
  });

  test("tell bars apart by start, name and target", () => {
    const same = bars(bar("a", 1, 2, "1"), bar("a", 1, 2, "2"), bar("b", 1, 2, "1"));
    assert.equal(nextBar(same, bar("a", 1, 7, "2"), 1)?.bar.name, "b");
    assert.deepEqual(nextBar(same, bar("a", 1, 7, "1"), 1)?.bar.target, {
      ...{ kind: "executor", id: "2" },
    });
  });
});

test("the pointer hits a bar of its row, with some room beside it", () => {
  const [one, other] = [bar("a", 100, 200), bar("b", 100, 200)];
  const plot = bars(one, other);
  assert.equal(barAt(plot, 0.9, 100, 0), one);
  assert.equal(barAt(plot, 1.0, 200, 0), other);
  assert.equal(barAt(plot, 0.5, 95, 5), one);
  assert.equal(barAt(plot, 0.5, 205, 5), one);
  assert.equal(barAt(plot, 0.5, 94, 5), undefined);
  assert.equal(barAt(plot, 0.5, 206, 5), undefined);
  assert.equal(barAt(plot, 2, 150, 5), undefined);
});
