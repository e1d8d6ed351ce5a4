import { msg, verbatim, type Message } from "../../base/message.ts";
import type { DriverSample } from "./driverSample.ts";
import { countsOf, driverPod, type CountPoint } from "./executorCounts.ts";
import { pendingReasonNames, pendingReasons } from "./pendingReason.ts";
import type { StageSpan } from "./stageSpan.ts";
import type { PodPhase, StateChange } from "./stateChange.ts";
import type { MarkKind, Timeline, TimelineMark } from "./timeline.ts";

/** A color of VS Code's theme (`--vscode-charts-…`). */
export type PlotColor =
  "green" | "yellow" | "red" | "blue" | "orange" | "purple" | "foreground" | "lines";

export type PlotUnit = "count" | "bytes" | "percent";

/** Values over time. A step extends to the next point; other values are connected by lines. */
export interface PlotSeries<Text = Message> {
  readonly name: Text;
  readonly color: PlotColor;
  /** The values at the `times` of the plot. An unknown value is undefined, or null in a message to the page. */
  readonly values: readonly (number | undefined | null)[];
  /** True for a dashed line, which users can distinguish without colors. */
  readonly isDashed?: boolean;
}

/** A period that a chart shows as a bar. Times in epoch milliseconds. */
export interface PlotBar<Text = Message> {
  readonly name: Text;
  readonly from: number;
  readonly to: number;
  readonly color: PlotColor;
  readonly text: Text;
  readonly target: PlotTarget;
}

/** The row or log that a click on a part of a plot opens. */
export type PlotTarget =
  | { readonly kind: "executor"; readonly id: string }
  | { readonly kind: "stage"; readonly key: string };

export interface SeriesPlot<Text = Message> {
  /** `stack`: stacked areas with steps. `steps`: step functions. `lines`: points that are connected by lines. */
  readonly form: "stack" | "steps" | "lines";
  readonly id: string;
  readonly title: Text;
  /** The text to show instead of a chart without values. */
  readonly empty: Text;
  readonly unit: PlotUnit;
  /** Epoch milliseconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries<Text>[];
}

export interface BarPlot<Text = Message> {
  readonly form: "bars";
  readonly id: string;
  readonly title: Text;
  /** The text to show instead of a chart without bars. */
  readonly empty: Text;
  /**
   * If true, bars with the same name share a row, which is labeled with it. If false, a row contains bars that do not
   * overlap.
   */
  readonly isNamed: boolean;
  readonly bars: readonly PlotBar<Text>[];
  /** Bars that only the table and the CSV file contain, because more rows would be too thin in the chart. */
  readonly hidden: readonly PlotBar<Text>[];
}

export type Plot<Text = Message> = SeriesPlot<Text> | BarPlot<Text>;

/** A moment that is marked in all plots. */
export interface PlotMark<Text = Message> {
  readonly at: number;
  readonly color: PlotColor;
  readonly text: Text;
  readonly target: PlotTarget;
}

export interface TimelinePlots<Text = Message> {
  /** The start of the whole record, in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly plots: readonly Plot<Text>[];
  readonly marks: readonly PlotMark<Text>[];
}

/** Returns the plots with their text translated by `show`. */
export const translatedPlots = (
  { from, to, plots, marks }: TimelinePlots,
  show: (message: Message) => string,
): TimelinePlots<string> => {
  const shown = (bar: PlotBar): PlotBar<string> => ({
    ...bar,
    name: show(bar.name),
    text: show(bar.text),
  });
  return {
    from,
    to,
    plots: plots.map((plot) => {
      const texts = { title: show(plot.title), empty: show(plot.empty) };
      return plot.form === "bars"
        ? { ...plot, ...texts, bars: plot.bars.map(shown), hidden: plot.hidden.map(shown) }
        : {
            ...plot,
            ...texts,
            series: plot.series.map((series) => ({ ...series, name: show(series.name) })),
          };
    }),
    marks: marks.map((mark) => ({ ...mark, text: show(mark.text) })),
  };
};

/**
 * Returns the plots of a timeline. `now`: the end of running items, in epoch milliseconds. `unread`: shown instead of
 * an empty plot of the driver's metrics; names the reason why the metrics are missing.
 */
export function plotsOf(
  timeline: Timeline,
  now: number,
  unread: Message = msg("No metrics from the driver"),
): TimelinePlots {
  const counts = upTo(countsOf(timeline), now);
  const { samples, stages, marks } = timeline;
  const starts = [counts[0]?.at, samples[0]?.at, stages[0]?.submittedAt].filter(isNumber);
  return {
    from: Math.min(now, ...starts),
    to: now,
    plots: [
      executorsPlot(counts),
      requestedPlot(counts, timeline),
      pendingPlot(counts),
      livesPlot(timeline, now),
      endedPlot(counts),
      tasksPlot(samples, unread),
      stagesPlot(stages, now, samples.length > 0 ? msg("No stages yet") : unread),
      memoryPlot(samples, unread),
      gcPlot(samples, unread),
      shufflePlot(samples, unread),
      spillPlot(samples, unread),
      marksPlot(marks),
    ],
    marks: marks.map(({ at, ...mark }) => ({ at, ...shownMark(mark) })),
  };
}

/** Adds a last point, so that the step function extends to `now`. */
function upTo(counts: readonly CountPoint[], now: number): readonly CountPoint[] {
  const last = counts.at(-1);
  return last === undefined || last.at >= now ? counts : [...counts, { ...last, at: now }];
}

const noExecutors = msg("No executors yet");

const phases: readonly (readonly [PodPhase, Message, PlotColor])[] = [
  ["running", msg("running"), "green"],
  ["leaving", msg("ending"), "orange"],
  ["unknown", msg("unknown"), "purple"],
  ["pending", msg("pending"), "yellow"],
];

const executorsPlot = (counts: readonly CountPoint[]): Plot => ({
  ...{ id: "executors", form: "stack", title: msg("Executors by state"), unit: "count" },
  empty: noExecutors,
  times: counts.map(({ at }) => at),
  series: phases.map(([phase, name, color]) => ({
    ...{ name, color },
    values: counts.map((point) => point[phase]),
  })),
});

function requestedPlot(
  counts: readonly CountPoint[],
  { samples, changes }: Pick<Timeline, "samples" | "changes">,
): Plot {
  const times = [...new Set([...counts, ...samples].map(({ at }) => at))].sort((a, b) => a - b);
  const ends = changes.filter(
    ({ pod, to }) => pod === driverPod && (to === "finished" || to === "failed"),
  );
  // An ended driver requests nothing, and no executor is registered with it.
  const known = held(samples, times).map((sample, index) =>
    ends.some(({ at }) => at > (sample?.at ?? 0) && at <= (times[index] ?? 0)) ? undefined : sample,
  );
  return {
    ...{
      id: "requested",
      form: "steps",
      title: msg("Requested and running executors"),
      unit: "count",
    },
    empty: noExecutors,
    times,
    series: [
      {
        ...{ name: msg("requested"), color: "blue", isDashed: true },
        values: known.map((sample) => sample?.target),
      },
      {
        ...{ name: msg("running pods"), color: "green" },
        values: held(counts, times).map((point) => point?.running),
      },
      {
        ...{ name: msg("registered with the driver"), color: "purple" },
        values: known.map((sample) => sample?.registered),
      },
    ],
  };
}

/** Returns the last point at or before each time. Undefined before the first point. `times`: ascending. */
function held<T extends { readonly at: number }>(
  points: readonly T[],
  times: readonly number[],
): readonly (T | undefined)[] {
  let index = -1;
  return times.map((time) => {
    while ((points[index + 1]?.at ?? Infinity) <= time) index += 1;
    return points[index];
  });
}

const reasonColors: readonly PlotColor[] = ["red", "orange", "purple", "blue", "yellow", "green"];

function pendingPlot(counts: readonly CountPoint[]): Plot {
  const used = pendingReasons.filter((reason) =>
    counts.some(({ reasons }) => (reasons[reason] ?? 0) > 0),
  );
  return {
    ...{ id: "pending", form: "stack", title: msg("Pending executors by reason"), unit: "count" },
    empty: msg("No executor was pending"),
    times: counts.map(({ at }) => at),
    series: used.map((reason, index) => ({
      name: pendingReasonNames[reason],
      color: reasonColors[index % reasonColors.length] ?? "lines",
      values: counts.map(({ reasons }) => reasons[reason] ?? 0),
    })),
  };
}

const phaseColors = new Map(phases.map(([phase, , color]) => [phase, color]));
const phaseNames = new Map(phases.map(([phase, name]) => [phase, name]));

/** Returns the plot with a row for each executor, which shows its phases and the marks of its end. */
function livesPlot({ changes, marks }: Timeline, now: number): Plot {
  const byPod = new Map<string, StateChange[]>();
  for (const change of changes) {
    if (change.pod === driverPod) continue;
    const own = byPod.get(change.pod);
    if (own === undefined) byPod.set(change.pod, [change]);
    else own.push(change);
  }
  const barsOf = ([pod, own]: readonly [string, readonly StateChange[]]): readonly PlotBar[] => {
    const name = msg`executor ${pod}`;
    const target: PlotTarget = { kind: "executor", id: pod };
    const lived = own.flatMap(({ at: from, to: phase, reason }, index): readonly PlotBar[] => {
      const color = phaseColors.get(phase);
      const phaseName = phaseNames.get(phase);
      // The phases `failed` and `finished` have no bar.
      if (color === undefined || phaseName === undefined) return [];
      const text =
        reason === undefined ? phaseName : msg`${phaseName}: ${pendingReasonNames[reason]}`;
      return [{ name, from, to: own[index + 1]?.at ?? now, color, text, target }];
    });
    const ends = marks
      .filter((mark) => mark.pod === pod)
      .map(({ at, ...mark }) => ({ name, from: at, to: at, ...shownMark(mark) }));
    return [...lived, ...ends];
  };
  const pods = [...byPod];
  const [older, newest] = [pods.slice(0, -maxBars), pods.slice(-maxBars)];
  const title = older.length === 0 ? msg("Executors") : msg`Executors (newest ${maxBars})`;
  return {
    ...{ id: "lives", form: "bars", title, empty: noExecutors, isNamed: true },
    bars: newest.flatMap(barsOf),
    hidden: older.flatMap(barsOf),
  };
}

const endedPlot = (counts: readonly CountPoint[]): Plot => ({
  ...{ id: "ended", form: "steps", title: msg("Ended executors since the start"), unit: "count" },
  empty: noExecutors,
  times: counts.map(({ at }) => at),
  series: [
    { name: msg("failed"), color: "red", values: counts.map(({ failed }) => failed) },
    {
      ...{ name: msg("ended without failure"), color: "blue", isDashed: true },
      values: counts.map(({ finished }) => finished),
    },
  ],
});

const tasksPlot = (samples: readonly DriverSample[], empty: Message): Plot => ({
  empty,
  ...{ id: "tasks", form: "lines", title: msg("Running tasks"), unit: "count" },
  times: samples.map(({ at }) => at),
  series: [
    seriesOf(samples, msg("task slots"), "lines", ({ slots }) => slots, true),
    seriesOf(samples, msg("all executors"), "blue", ({ activeTasks }) => activeTasks),
    seriesOf(samples, msg("busiest executor"), "orange", ({ maxActive }) => maxActive),
    seriesOf(samples, msg("least busy executor"), "purple", ({ minActive }) => minActive),
  ],
});

const memoryPlot = (samples: readonly DriverSample[], empty: Message): Plot => ({
  empty,
  ...{ id: "memory", form: "lines", title: msg("Memory of the largest executor"), unit: "bytes" },
  times: samples.map(({ at }) => at),
  series: [
    seriesOf(samples, msg("container limit"), "red", ({ limitBytes }) => limitBytes, true),
    seriesOf(samples, msg("peak since its start"), "blue", ({ peakBytes }) => peakBytes),
  ],
});

/** Returns the plot of the garbage collection time as a share of the task time, per interval between samples. */
const gcPlot = (samples: readonly DriverSample[], empty: Message): Plot => ({
  empty,
  ...{
    id: "gc",
    form: "lines",
    title: msg("Garbage collection share of task time"),
    unit: "percent",
  },
  times: samples.map(({ at }) => at),
  series: [
    {
      ...{ name: msg("garbage collection"), color: "red" },
      values: samples.map((sample, index) => {
        const before = samples[index - 1];
        const taskMs = sample.taskMs - (before?.taskMs ?? 0);
        const gcMs = sample.gcMs - (before?.gcMs ?? 0);
        return taskMs > 0 && gcMs >= 0 ? (100 * gcMs) / taskMs : undefined;
      }),
    },
  ],
});

const shufflePlot = (samples: readonly DriverSample[], empty: Message): Plot => ({
  empty,
  ...{
    id: "shuffle",
    form: "lines",
    title: msg("Shuffle and input since the start"),
    unit: "bytes",
  },
  times: samples.map(({ at }) => at),
  series: [
    seriesOf(samples, msg("input"), "green", ({ inputBytes }) => inputBytes),
    seriesOf(samples, msg("shuffle read"), "blue", ({ shuffleReadBytes }) => shuffleReadBytes),
    seriesOf(samples, msg("shuffle write"), "orange", (one) => one.shuffleWriteBytes, true),
  ],
});

const spillPlot = (samples: readonly DriverSample[], empty: Message): Plot => ({
  empty,
  ...{ id: "spill", form: "lines", title: msg("Spill since the start"), unit: "bytes" },
  times: samples.map(({ at }) => at),
  series: [
    seriesOf(samples, msg("in memory"), "orange", (one) => one.memorySpilledBytes),
    seriesOf(samples, msg("on disk"), "red", (one) => one.diskSpilledBytes, true),
  ],
});

function seriesOf(
  samples: readonly DriverSample[],
  name: Message,
  color: PlotColor,
  value: (sample: DriverSample) => number | undefined,
  isDashed = false,
): PlotSeries {
  return { name, color, isDashed, values: samples.map(value) };
}

// More rows would be too thin to distinguish.
const maxBars = 60;

const stageColors: Readonly<Record<StageSpan["status"], PlotColor>> = {
  ACTIVE: "blue",
  PENDING: "yellow",
  COMPLETE: "green",
  FAILED: "red",
  SKIPPED: "lines",
};

function stagesPlot(stages: readonly StageSpan[], now: number, empty: Message): Plot {
  const bars = stages.flatMap((stage): readonly PlotBar[] => {
    const { stageId, attemptId, submittedAt, status, tasks, done, failed, name } = stage;
    if (submittedAt === undefined) return [];
    const id = attemptId === 0 ? `${stageId}` : `${stageId}.${attemptId}`;
    const counts = msg`${done} of ${tasks} tasks`;
    return [
      {
        name: msg`stage ${id}`,
        from: submittedAt,
        to: stage.endedAt ?? now,
        color: stageColors[status],
        text:
          failed === 0
            ? msg`${counts} · ${verbatim(name)}`
            : msg`${counts} · ${failed} failed · ${verbatim(name)}`,
        target: { kind: "stage", key: `${stageId}.${attemptId}` },
      },
    ];
  });
  const shorter = new Set([...bars].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(maxBars));
  const title = shorter.size === 0 ? msg("Stages") : msg`Stages (longest ${maxBars})`;
  return {
    ...{ id: "stages", form: "bars", title, empty, isNamed: false },
    bars: bars.filter((bar) => !shorter.has(bar)),
    hidden: [...shorter],
  };
}

const markNames: Readonly<Record<MarkKind, Message>> = {
  killed: msg("killed"),
  decommissioned: msg("decommissioned"),
  stopped: msg("stopped"),
  deleted: msg("deleted"),
  failed: msg("failed"),
};

const markColors: Readonly<Record<MarkKind, PlotColor>> = {
  ...{ killed: "orange", decommissioned: "yellow", stopped: "lines", deleted: "purple" },
  failed: "red",
};

function shownMark({ kind, pod, exit }: Omit<TimelineMark, "at">): Omit<PlotMark, "at"> {
  const what = pod === "driver" ? msg("driver") : msg`executor ${pod}`;
  return {
    color: markColors[kind],
    text: exit === "" ? msg`${what} ${markNames[kind]}` : msg`${what} ${markNames[kind]}: ${exit}`,
    target: { kind: "executor", id: pod },
  };
}

/** Returns the plot of kills, decommissions and failures, one row for each kind. */
const marksPlot = (marks: readonly TimelineMark[]): Plot => ({
  ...{ id: "marks", form: "bars", title: msg("Kills, decommissions and failures"), isNamed: true },
  empty: msg("No kills, decommissions or failures"),
  bars: marks.map((mark) => {
    const { color, text, target } = shownMark(mark);
    return { name: markNames[mark.kind], from: mark.at, to: mark.at, color, text, target };
  }),
  hidden: [],
});

const isNumber = (value: number | undefined): value is number => value !== undefined;
