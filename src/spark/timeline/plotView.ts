// The logic of the timeline page that does not depend on the DOM.
import { allBars, describeValue, rowsOfBars, stackedOf } from "./plotText.ts";
import type { BarPlot, Plot, PlotBar, PlotMark, PlotUnit, SeriesPlot } from "./plots.ts";
import type { TimelineContent } from "./timelinePanel.ts";

/** The visible period, in epoch milliseconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Formats epoch milliseconds as a time of day with seconds. */
type ShowClock = (at: number) => string;

export const isEmptyPlot = (plot: Plot<string>): boolean =>
  plot.form === "bars"
    ? plot.bars.length === 0
    : plot.times.length === 0 || plot.series.length === 0;

// ---- Drawing -----------------------------------------------------------------------------------

/** True if the chart of `before` can be reused for `now`. Bar charts and charts of another shape must be rebuilt. */
export const isSameShape = (before: Plot<string>, now: Plot<string>): boolean =>
  before.form !== "bars" && now.form !== "bars" && shapeOf(before) === shapeOf(now);

const shapeOf = (plot: SeriesPlot<string>): string =>
  JSON.stringify([
    plot.form,
    plot.times.length > 0,
    showsPoints(plot),
    plot.series.map(({ name }) => name),
  ]);

/** True if the points of a series are drawn as dots: only while they are too few to hide the line. */
export const showsPoints = ({ times }: Pick<SeriesPlot<string>, "times">): boolean =>
  times.length < 40;

/**
 * Returns the times in epoch seconds, followed by the values of each series. Upper areas of a stack come first. For
 * bars, returns only the earliest start and the latest end, without values.
 */
export function chartValues(plot: Plot<string>): readonly (readonly (number | null)[])[] {
  if (plot.form === "bars") {
    const ends = plot.bars.flatMap(({ from, to }) => [from / 1000, to / 1000]);
    const times = [Math.min(...ends), Math.max(...ends)];
    return [times, [null, null]];
  }
  const times = plot.times.map((at) => at / 1000);
  const layers =
    plot.form === "stack"
      ? stackedOf(plot).toReversed()
      : plot.series.map(({ values }) => values.map((value) => value ?? null));
  return [times, ...layers];
}

/** Returns the range of the value axis: from 0 to `max` plus 5 %, with a minimum so that the range is not empty. */
export const valueRange = (max: number, unit: PlotUnit): readonly [number, number] => [
  0,
  Math.max(max * 1.05, unit === "count" ? 1 : 0.01),
];

/** Returns the possible distances between axis labels, ascending: powers of two for bytes, round integers otherwise. */
export const valueSteps = (unit: PlotUnit): readonly number[] =>
  unit === "bytes" ? byteSteps : wholeSteps;

const wholeSteps = [1, 2, 5]
  .flatMap((digit) => [0, 1, 2, 3, 4, 5, 6].map((power) => digit * 10 ** power))
  .sort((a, b) => a - b);
const byteSteps = Array.from({ length: 50 }, (_, power) => 2 ** power);

// ---- Texts -------------------------------------------------------------------------------------

export function valueText(plot: SeriesPlot<string>, series: number, index: number): string {
  const value = plot.series[series]?.values[index];
  return value === undefined || value === null ? "–" : describeValue(value, plot.unit);
}

export const barText = (
  { name, from, to, text }: Omit<PlotBar<string>, "target">,
  clock: ShowClock,
): string =>
  from === to ? `${clock(from)} ${text}` : `${name} · ${clock(from)}–${clock(to)} · ${text}`;

/** Describes the values at a point of the plot, and the marks with exactly the same time. */
export function pointText(
  plot: SeriesPlot<string>,
  index: number,
  marks: readonly PlotMark<string>[],
  clock: ShowClock,
): string {
  const at = plot.times[index] ?? 0;
  const values = plot.series.map(({ name }, series) => `${name} ${valueText(plot, series, index)}`);
  const texts = marks.filter((mark) => mark.at === at).map(({ text }) => text);
  return [clock(at), ...values, ...texts].join(", ");
}

/**
 * Formats axis labels as times of day, with seconds if labels are less than a minute apart. `splits`: epoch seconds.
 */
export function axisTimes(
  splits: readonly number[],
  clock: (at: number, precision: "minutes" | "seconds") => string,
): string[] {
  const isFine = (splits[1] ?? 0) - (splits[0] ?? 0) < 60;
  return splits.map((seconds) => clock(1000 * seconds, isFine ? "seconds" : "minutes"));
}

export interface TableRows {
  readonly head: readonly string[];
  readonly body: readonly (readonly string[])[];
}

// The table contains only the newest rows, the CSV file all of them.
const maxRows = 1_000;

/**
 * Returns the newest 1,000 points or bars of a plot, newest first, with unrounded values. `exactTime`: formats epoch ms
 * as date and time.
 */
export function tableRows(
  plot: Plot<string>,
  { time, until, name, details, bytes }: TimelineContent["labels"],
  exactTime: (at: number) => string,
): TableRows {
  const newest = <T>(all: readonly T[]): readonly T[] => all.slice(-maxRows).reverse();
  if (plot.form === "bars") {
    return {
      head: [time, until, name, details],
      body: newest(allBars(plot)).map((bar) => [
        exactTime(bar.from),
        exactTime(bar.to),
        bar.name,
        bar.text,
      ]),
    };
  }
  const unit = { count: "", bytes: ` (${bytes})`, percent: " (%)" }[plot.unit];
  return {
    head: [time, ...plot.series.map((series) => `${series.name}${unit}`)],
    body: newest([...plot.times.entries()]).map(([index, at]) => [
      exactTime(at),
      ...plot.series.map(({ values }) => String(values[index] ?? "–")),
    ]),
  };
}

// ---- Zoom --------------------------------------------------------------------------------------

/** Returns the period of the whole record, extended to at least one second. */
export const wholeRange = ({ from, to }: TimeRange): TimeRange => ({
  from,
  to: Math.max(to, from + 1_000),
});

const minRangeMs = 100;

/** Returns the selected period within the record; "all" if it covers the record; undefined if shorter than 100 ms. */
export function zoomOf({ from, to }: TimeRange, whole: TimeRange): TimeRange | "all" | undefined {
  if (from <= whole.from && to >= whole.to) return "all";
  if (to - from < minRangeMs) return undefined;
  return { from: Math.max(from, whole.from), to: Math.min(to, whole.to) };
}

/** Scales the length of a period by `factor`. The time `middle` keeps its relative position. */
export const scaledRange = (
  { from, to }: TimeRange,
  factor: number,
  middle = (from + to) / 2,
): TimeRange => ({ from: middle - factor * (middle - from), to: middle + factor * (to - middle) });

/** Returns the zoom that a previous instance of the page stored. Undefined if the state has another format. */
export const storedRange = (state: unknown): TimeRange | undefined =>
  typeof state === "object" &&
  state !== null &&
  "from" in state &&
  "to" in state &&
  typeof state.from === "number" &&
  typeof state.to === "number"
    ? { from: state.from, to: state.to }
    : undefined;

// ---- Keys and pointer --------------------------------------------------------------------------

export type PlotKey =
  | { readonly kind: "move"; readonly by: number }
  | { readonly kind: "zoom"; readonly factor: number }
  | { readonly kind: "all" | "open" };

interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Returns the action of a key in a plot; undefined for other keys. */
export function plotKeyOf({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: PressedKey): PlotKey | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const step = shiftKey ? 10 : 1;
  switch (key) {
    case "ArrowLeft":
      return { kind: "move", by: -step };
    case "ArrowRight":
      return { kind: "move", by: step };
    case "Home":
      return { kind: "move", by: -Infinity };
    case "End":
      return { kind: "move", by: Infinity };
    case "+":
    case "=":
      return { kind: "zoom", factor: 0.5 };
    case "-":
      return { kind: "zoom", factor: 2 };
    case "0":
    case "Escape":
      return { kind: "all" };
    case "Enter":
      return { kind: "open" };
    default:
      return undefined;
  }
}

/**
 * Returns the index of the point whose values apply at a time: the last point at or before it, or in a line plot the
 * nearest one. Undefined before the first point of a step function.
 */
export function pointAt(
  { form, times }: Pick<SeriesPlot<string>, "form" | "times">,
  at: number,
): number | undefined {
  const next = times.findIndex((time) => time > at);
  const last = next < 0 ? times.length - 1 : next - 1;
  if (form !== "lines" || next < 0) return last < 0 ? undefined : last;
  const isNextNearer = last < 0 || (times[next] ?? 0) - at < at - (times[last] ?? 0);
  return isNextNearer ? next : last;
}

/**
 * Returns the index of the point `by` steps from the cursor, clamped to the series. Without a cursor, one step leads to
 * the first point, or backwards to the last one.
 */
export const nextPoint = (
  { times }: Pick<SeriesPlot<string>, "times">,
  cursor: number | null | undefined,
  by: number,
): number => clamped((cursor ?? (by > 0 ? -1 : times.length)) + by, times.length - 1);

/** Returns the bar `by` steps from `known` in order of start time, clamped, and its row. Undefined without bars. */
export function nextBar(
  plot: BarPlot<string>,
  known: PlotBar<string> | undefined,
  by: number,
): { readonly bar: PlotBar<string>; readonly row: number } | undefined {
  const bars = [...plot.bars].sort((a, b) => a.from - b.from);
  const now = known === undefined ? -1 : bars.findIndex((bar) => isSameBar(bar, known));
  const bar = bars[clamped(now + by, bars.length - 1)];
  return bar && { bar, row: rowsOfBars(plot).findIndex((one) => one.includes(bar)) };
}

/**
 * Returns the bar at a position. `row`: the fractional row number, counted from the top. `slackMs`: tolerance on both
 * sides, because short bars are hard to hit.
 */
export function barAt(
  plot: BarPlot<string>,
  row: number,
  at: number,
  slackMs: number,
): PlotBar<string> | undefined {
  const bars = rowsOfBars(plot)[Math.floor(row)] ?? [];
  // The last bar is on top: the mark of an executor's end covers its phases.
  return bars.findLast(({ from, to }) => at >= from - slackMs && at <= to + slackMs);
}

const clamped = (index: number, max: number): number => Math.max(0, Math.min(max, index));

// Compares by content, because each message to the page creates new objects.
const isSameBar = (a: PlotBar<string>, b: PlotBar<string>): boolean =>
  a.from === b.from && a.name === b.name && JSON.stringify(a.target) === JSON.stringify(b.target);
