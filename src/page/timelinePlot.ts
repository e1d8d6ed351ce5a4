import "./steadyLocale.ts";
import uPlot from "uplot";
import type { Plot, PlotBar, PlotMark, PlotTarget } from "../spark/timeline/plots.ts";
import { describeValue, highestIn, rowsOfBars } from "../spark/timeline/plotText.ts";
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
  showsPoints,
  valueRange,
  valueSteps,
  valueText,
  type TimeRange,
} from "../spark/timeline/plotView.ts";
import { element } from "./element.ts";
import { valueTable } from "./valueTable.ts";
import { fillOf, themeColors, type ThemeColors } from "./plotColors.ts";
import type { TimelineContent } from "../spark/timeline/timelinePanel.ts";
import { timeOfDay } from "../base/timeOfDay.ts";

export interface PlotHost {
  readonly labels: TimelineContent["labels"];
  readonly zoomTo: (range: TimeRange) => void;
  readonly open: (target: PlotTarget) => void;
  /** Announces text to screen readers. */
  readonly say: (text: string) => void;
}

const plotHeight = 130;
const axisHeight = 26;
const rowHeight = 18;
const axisWidth = 98;

/** One plot with its title, legend, canvas and table. */
export class TimelinePlot {
  readonly root = element("section", "plot");
  readonly #heading = element("h2");
  readonly #legend = element("div", "legend");
  readonly #canvas = element("div", "canvas");
  readonly #hint = element("div", "hint");
  readonly #table = element("details", "table");
  readonly #host: PlotHost;
  #plot: Plot<string>;
  #marks: readonly PlotMark<string>[] = [];
  #range: TimeRange = { from: 0, to: 1 };
  #colors: ThemeColors = themeColors();
  #chart: uPlot | undefined;
  /** The bar under the mouse, or the bar that the user selected with the keyboard. */
  #bar: PlotBar<string> | undefined;
  /**
   * The cursor position that the user chose with the keyboard: epoch milliseconds, and pixels from the top. Undefined
   * while the mouse moves the cursor.
   */
  #held: { readonly at: number; readonly top: number } | undefined;

  constructor(plot: Plot<string>, host: PlotHost) {
    this.#plot = plot;
    this.#host = host;
    this.#canvas.tabIndex = 0;
    this.#canvas.setAttribute("role", "application");
    this.#canvas.setAttribute("aria-roledescription", plot.title);
    const summary = element("summary", "", host.labels.table);
    this.#table.append(summary);
    this.#table.addEventListener("toggle", () => {
      this.#fillTable();
    });
    this.#canvas.addEventListener("keydown", (event) => {
      this.#press(event);
    });
    this.#canvas.addEventListener("focus", () => {
      this.#canvas.scrollIntoView({ block: "nearest" });
    });
    this.#canvas.addEventListener("mousemove", () => {
      this.#held = undefined;
    });
    this.#canvas.addEventListener("click", () => {
      this.#activate();
    });
    const top = element("div", "top");
    top.append(this.#heading, this.#hint);
    this.root.append(top, this.#legend, this.#canvas, this.#table);
  }

  get canvas(): HTMLCanvasElement | undefined {
    return this.#chart?.ctx.canvas;
  }

  get title(): string {
    return this.#plot.title;
  }

  /** Returns the names and colors of the series for the saved image; empty for bars. */
  get legend(): readonly { readonly name: string; readonly color: string }[] {
    return this.#plot.form === "bars"
      ? []
      : this.#plot.series.map(({ name, color }) => ({ name, color: this.#colors.of(color) }));
  }

  show(plot: Plot<string>, marks: readonly PlotMark<string>[], range: TimeRange): void {
    const before = this.#plot;
    this.#plot = plot;
    this.#marks = marks;
    this.#range = range;
    this.#heading.textContent = plot.title;
    if (this.#chart === undefined || plot.form === "bars" || !isSameShape(before, plot)) {
      this.draw();
    } else {
      this.#chart.setData(dataOf(plot), false);
      this.zoom(range);
      // uPlot reports values only when its cursor moves, so show the new ones here.
      this.#showValues(this.#pointUnderCursor() ?? plot.times.length - 1);
    }
    if (this.#table.open) this.#fillTable();
  }

  zoom(range: TimeRange): void {
    this.#range = range;
    this.#chart?.setScale("x", { min: range.from / 1000, max: range.to / 1000 });
    // uPlot changes the scale in a microtask.
    queueMicrotask(() => {
      this.#holdCursor();
    });
  }

  /**
   * Moves the cursor back to the time that the user chose with the keyboard, because its pixel changes with the range.
   */
  #holdCursor(): void {
    const chart = this.#chart;
    if (this.#held === undefined || chart === undefined) return;
    const { at, top } = this.#held;
    chart.setCursor({ left: chart.valToPos(at / 1000, "x"), top });
  }

  /** Recreates the chart with the current width and theme. */
  draw(): void {
    this.#colors = themeColors();
    this.#chart?.destroy();
    const plot = this.#plot;
    const isEmpty = isEmptyPlot(plot);
    this.#canvas.replaceChildren();
    this.#legend.replaceChildren();
    this.#canvas.setAttribute(
      "aria-label",
      `${plot.title}. ${isEmpty ? plot.empty : this.#host.labels.keys}`,
    );
    this.root.classList.toggle("empty", isEmpty);
    if (isEmpty) {
      this.#chart = undefined;
      this.#legend.append(element("span", "", plot.empty));
      return;
    }
    this.#chart = new uPlot(this.#options(), dataOf(plot), this.#canvas);
    this.#fillLegend();
    this.zoom(this.#range);
  }

  #options(): uPlot.Options {
    const plot = this.#plot;
    const colors = this.#colors;
    const axis = {
      stroke: colors.text,
      font: colors.font,
      grid: { stroke: colors.faint, width: 0.5 },
      ticks: { stroke: colors.faint, width: 0.5, size: 4 },
    };
    const rows = plot.form === "bars" ? rowsOfBars(plot) : [];
    const height = plot.form === "bars" ? rows.length * rowHeight : plotHeight;
    const unit = plot.form === "bars" ? "count" : plot.unit;
    const yAxis: uPlot.Axis =
      plot.form === "bars"
        ? {
            ...axis,
            size: axisWidth,
            grid: { show: false },
            ticks: { show: false },
            splits: () => rows.map((_, index) => index + 0.5),
            values: () => rows.map((row) => (plot.isNamed ? (row[0]?.name ?? "") : "")),
          }
        : {
            ...axis,
            size: axisWidth,
            incrs: [...valueSteps(unit)],
            values: (_, splits) => splits.map((value) => describeValue(value, unit)),
          };
    return {
      width: Math.max(240, this.#canvas.clientWidth),
      height: height + axisHeight,
      padding: [4, 8, 0, 0],
      legend: { show: false },
      cursor: {
        sync: { key: "timeline" },
        points: { show: false },
        drag: { x: true, y: false, setScale: false },
      },
      scales: {
        x: { time: true },
        y:
          plot.form === "bars"
            ? { dir: -1, range: () => [0, rows.length] }
            : // uPlot's own maximum leaves out steps that begin before the visible period.
              { range: () => [...valueRange(highestIn(plot, this.#range), unit)] },
      },
      axes: [
        {
          ...axis,
          size: axisHeight,
          space: 80,
          values: (_, splits) => axisTimes(splits, timeOfDay),
        },
        yAxis,
      ],
      series: [{}, ...this.#series()],
      hooks: {
        setCursor: [
          (chart) => {
            this.#follow(chart);
          },
        ],
        setSelect: [
          (chart) => {
            const { left, width } = chart.select;
            if (width < 4) return;
            const from = 1000 * chart.posToVal(left, "x");
            const to = 1000 * chart.posToVal(left + width, "x");
            chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            this.#host.zoomTo({ from, to });
          },
        ],
        draw: [
          (chart) => {
            if (plot.form === "bars") drawBars(chart, rows, { colors, isNamed: plot.isNamed });
            if (plot.id !== "marks") drawMarks(chart, this.#marks, colors);
          },
        ],
      },
    };
  }

  #series(): uPlot.Series[] {
    const plot = this.#plot;
    if (plot.form === "bars") return [{ show: false }];
    const stepped = uPlot.paths.stepped?.({ align: 1 });
    const paths = plot.form === "lines" || stepped === undefined ? {} : { paths: stepped };
    if (plot.form !== "stack") {
      return plot.series.map(({ name, color, isDashed }) => ({
        label: name,
        stroke: this.#colors.of(color),
        width: 1.5,
        points: { show: showsPoints(plot), size: 4 },
        ...(isDashed === true ? { dash: [6, 4] } : {}),
        ...paths,
      }));
    }
    // The upper areas come first, so that the lower ones cover them.
    return plot.series
      .map(({ name, color }, index) => ({
        label: name,
        stroke: this.#colors.of(color),
        fill: () => fillOf(this.#colors.of(color), index, this.#colors) as string,
        width: 1,
        points: { show: false },
        ...paths,
      }))
      .reverse();
  }

  #fillLegend(): void {
    const plot = this.#plot;
    if (plot.form === "bars") return;
    this.#legend.replaceChildren(
      ...plot.series.map(({ name, color, isDashed }, index) => {
        const swatch =
          plot.form === "stack"
            ? areaSwatch(this.#colors.of(color), index, this.#colors)
            : element("span", isDashed === true ? "swatch dashed" : "swatch");
        swatch.style.borderColor = this.#colors.of(color);
        const entry = element("span", "entry");
        entry.append(swatch, element("span", "", name), " ", element("span", "value"));
        return entry;
      }),
    );
    this.#showValues(plot.times.length - 1);
  }

  #pointUnderCursor(): number | undefined {
    // Adds half a pixel, because a cursor that the keyboard set on a point may be rounded down.
    const at = this.#cursorTime(0.5);
    return at === undefined || this.#plot.form === "bars" ? undefined : pointAt(this.#plot, at);
  }

  #showValues(index: number | undefined): void {
    const plot = this.#plot;
    if (plot.form === "bars") return;
    for (const [at, value] of [...this.#legend.querySelectorAll(".value")].entries()) {
      value.textContent = valueText(plot, at, index ?? -1);
    }
  }

  #follow(chart: uPlot): void {
    const plot = this.#plot;
    const { left, top } = chart.cursor;
    if (plot.form !== "bars") {
      const time = this.#cursorTime();
      const index = this.#pointUnderCursor();
      this.#showValues(time === undefined ? plot.times.length - 1 : index);
      const near = this.#markAt(chart, left ?? -10);
      const shown = plot.form === "lines" && index !== undefined ? plot.times[index] : time;
      const at = near?.at ?? shown;
      this.#hint.textContent = at === undefined ? "" : [clock(at), near?.text].join(" ").trim();
      this.#canvas.classList.toggle("clickable", near !== undefined);
      return;
    }
    this.#bar = undefined;
    if (left === undefined || top === undefined || left < 0) return;
    const slack = 1000 * (chart.posToVal(left + 4, "x") - chart.posToVal(left, "x")) || 0;
    const at = 1000 * chart.posToVal(left, "x");
    this.#bar = barAt(plot, chart.posToVal(top, "y"), at, slack);
    this.#showBar();
  }

  #showBar(): void {
    const bar = this.#bar;
    this.#hint.textContent = bar === undefined ? "" : barText(bar, clock);
    this.#canvas.classList.toggle("clickable", bar !== undefined);
  }

  #markAt(chart: uPlot, left: number): PlotMark<string> | undefined {
    return this.#marks.find(({ at }) => Math.abs(chart.valToPos(at / 1000, "x") - left) < 4);
  }

  #activate(): void {
    const chart = this.#chart;
    if (chart === undefined) return;
    const mark = this.#markAt(chart, chart.cursor.left ?? -10);
    const target = this.#bar?.target ?? mark?.target;
    if (target !== undefined) this.#host.open(target);
  }

  #press(event: KeyboardEvent): void {
    const action = plotKeyOf(event);
    switch (action?.kind) {
      case "move":
        this.#move(action.by);
        break;
      case "zoom":
        this.#host.zoomTo(scaledRange(this.#range, action.factor, this.#cursorTime()));
        break;
      case "all":
        this.#host.zoomTo({ from: -Infinity, to: Infinity });
        break;
      case "open":
        this.#activate();
        break;
      case undefined:
        return;
    }
    event.preventDefault();
  }

  #cursorTime(pixelsRight = 0): number | undefined {
    const left = this.#chart?.cursor.left;
    return left === undefined || left < 0 || this.#chart === undefined
      ? undefined
      : 1000 * this.#chart.posToVal(left + pixelsRight, "x");
  }

  /** Moves the cursor by a number of points or bars, and announces the values to screen readers. */
  #move(by: number): void {
    const chart = this.#chart;
    const plot = this.#plot;
    if (chart === undefined) return;
    if (plot.form === "bars") {
      const next = nextBar(plot, this.#bar, by);
      if (next === undefined) return;
      const { bar, row } = next;
      this.#held = { at: (bar.from + bar.to) / 2, top: chart.valToPos(row + 0.5, "y") };
      this.#holdCursor();
      this.#bar = bar;
      this.#showBar();
      this.#host.say(barText(bar, clock));
      return;
    }
    const index = nextPoint(plot, chart.cursor.idx, by);
    const at = plot.times[index];
    if (at === undefined) return;
    this.#held = { at, top: plotHeight / 2 };
    this.#holdCursor();
    this.#host.say(pointText(plot, index, this.#marks, clock));
  }

  #fillTable(): void {
    const { labels } = this.#host;
    const plot = this.#plot;
    this.#table.replaceChildren(
      element("summary", "", labels.table),
      ...(this.#table.open ? [valueTable(plot, labels)] : []),
    );
  }
}

const dataOf = (plot: Plot<string>): uPlot.AlignedData => chartValues(plot) as uPlot.AlignedData;

export const clock = (at: number): string => timeOfDay(at, "seconds");

function areaSwatch(color: string, index: number, colors: ThemeColors): HTMLCanvasElement {
  const swatch = element("canvas", "area");
  swatch.width = swatch.height = 12 * devicePixelRatio;
  const context = swatch.getContext("2d");
  if (context !== null) {
    context.fillStyle = fillOf(color, index, colors);
    context.fillRect(0, 0, swatch.width, swatch.height);
  }
  return swatch;
}

function drawBars(
  chart: uPlot,
  rows: ReturnType<typeof rowsOfBars<string>>,
  { colors, isNamed }: { readonly colors: ThemeColors; readonly isNamed: boolean },
): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = colors.font.replace(/^\d+px/, `${Math.round(10 * devicePixelRatio)}px`);
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const [index, row] of rows.entries()) {
    const top = chart.valToPos(index, "y", true) + 2;
    const height = chart.valToPos(index + 1, "y", true) - top - 2;
    for (const { name, from, to, color } of row) {
      const left = chart.valToPos(from / 1000, "x", true);
      const width = Math.max(3 * devicePixelRatio, chart.valToPos(to / 1000, "x", true) - left);
      ctx.fillStyle = colors.of(color);
      ctx.fillRect(left, top, width, height);
      // Consecutive bars touch, so a border separates them.
      ctx.strokeStyle = colors.background;
      ctx.strokeRect(left, top, width, height);
      // Named rows have their names on the axis.
      if (isNamed || ctx.measureText(name).width + 8 > width) continue;
      ctx.fillStyle = colors.background;
      ctx.fillText(name, left + 4, top + height / 2);
    }
  }
  ctx.restore();
}

function drawMarks(chart: uPlot, marks: readonly PlotMark<string>[], colors: ThemeColors): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, color } of marks) {
    const x = chart.valToPos(at / 1000, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colors.of(color);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
