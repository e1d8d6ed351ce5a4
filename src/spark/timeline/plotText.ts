import type { BarPlot, PlotBar, PlotColor, PlotUnit, SeriesPlot, TimelinePlots } from "./plots.ts";

/**
 * Returns all values of the plots as CSV: one row for each time and series, or for each bar. Times are ISO 8601 in UTC.
 */
export function csvOf({ plots }: TimelinePlots<string>): string {
  const rows: (readonly string[])[] = [["plot", "series", "from", "to", "value"]];
  for (const plot of plots) {
    if (plot.form === "bars") {
      for (const { name, from, to, text } of allBars(plot)) {
        rows.push([plot.id, name, isoOf(from), isoOf(to), text]);
      }
      continue;
    }
    for (const { name, values } of plot.series) {
      for (const [index, value] of values.entries()) {
        const at = isoOf(plot.times[index] ?? 0);
        if (isKnown(value)) rows.push([plot.id, name, at, at, String(value)]);
      }
    }
  }
  return rows.map((row) => `${row.map(csvCell).join(",")}\n`).join("");
}

/** Quotes a cell if necessary. Text that a spreadsheet would evaluate as a formula gets an apostrophe as prefix. */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

// `toISOString` throws for a time out of range, and a stored run may contain any number.
const isoOf = (at: number): string =>
  Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at);

// The chart colors of VS Code's light theme, for images with a white background.
const paperColors: Readonly<Record<PlotColor, string>> = {
  green: "#388a34",
  yellow: "#bf8803",
  red: "#e51400",
  blue: "#1a85ff",
  orange: "#d18616",
  purple: "#652d90",
  foreground: "#3b3b3b",
  lines: "#767676",
};

/**
 * Removes the transparency from a CSS color. The orange of the dark theme has an opacity of one third, because VS Code
 * derives it from a color of the minimap.
 */
export const opaqueOf = (color: string): string =>
  color
    .replace(/^rgba\(([^)]*),[^,)]*\)$/, "rgb($1)")
    .replace(/^(#[\da-f]{6})[\da-f]{2}$/i, "$1")
    .replace(/^(#[\da-f]{3})[\da-f]$/i, "$1");

const [width, plotHeight, rowHeight, left, right, top] = [1_200, 130, 14, 150, 20, 34];

/** Returns all plots as one SVG image with a white background. */
export function svgOf(timeline: TimelinePlots<string>, title: string): string {
  const { from, to, plots } = timeline;
  const span = Math.max(1, to - from);
  const x = (at: number): number =>
    round(left + ((width - left - right) * (Math.min(Math.max(at, from), to) - from)) / span);
  const parts = [textAt(left, 24, title, "bold 16px sans-serif")];
  let y = 50;
  for (const plot of plots) {
    const rows = plot.form === "bars" ? rowsOfBars(plot) : [];
    const height = plot.form === "bars" ? rowHeight * Math.max(1, rows.length) : plotHeight;
    parts.push(textAt(left, y + 12, plot.title, "bold 13px sans-serif"));
    parts.push(
      ...(plot.form === "bars"
        ? rows.flatMap((row, index) => barsIn(row, plot.isNamed, y + top + rowHeight * index, x))
        : linesIn(plot, y + top, x)),
    );
    for (const mark of timeline.marks) {
      const color = paperColors[mark.color];
      parts.push(
        `<path d="M${x(mark.at)} ${y + top}v${height}" stroke="${color}" stroke-dasharray="2 3"/>`,
      );
    }
    y += top + height + 12;
  }
  const ends = `${isoOf(from)} – ${isoOf(to)}`;
  parts.push(textAt(left, y + 10, ends, "11px sans-serif"));
  const size = `width="${width}" height="${y + 24}" viewBox="0 0 ${width} ${y + 24}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%" fill="#fff"/>${parts.join("")}</svg>\n`;
}

/** Returns all bars of a plot, including hidden ones, in order of their start times. */
export const allBars = <Text>({ bars, hidden }: BarPlot<Text>): readonly PlotBar<Text>[] =>
  [...bars, ...hidden].sort((a, b) => a.from - b.from);

/** Arranges the bars in rows: one row for each name if `isNamed`, or else rows of bars that do not overlap. */
export function rowsOfBars<Text>({
  bars,
  isNamed,
}: BarPlot<Text>): readonly (readonly PlotBar<Text>[])[] {
  const rows: PlotBar<Text>[][] = [];
  for (const bar of bars) {
    const row = rows.find((one) => {
      const last = one.at(-1);
      return isNamed ? last?.name === bar.name : (last?.to ?? 0) <= bar.from;
    });
    if (row === undefined) rows.push([bar]);
    else row.push(bar);
  }
  return rows;
}

function barsIn(
  row: readonly PlotBar<string>[],
  isNamed: boolean,
  y: number,
  x: (at: number) => number,
): readonly string[] {
  const label = isNamed ? [endingAt(left - 6, y + 10, row[0]?.name ?? "")] : [];
  const bars = row.map(({ name, from, to, color, text }) => {
    const barWidth = round(Math.max(3, x(to) - x(from)));
    const title = `<title>${escaped(`${name}: ${text}`)}</title>`;
    return `<rect x="${x(from)}" y="${y + 1}" width="${barWidth}" height="${rowHeight - 3}" fill="${paperColors[color]}">${title}</rect>`;
  });
  return [...label, ...bars];
}

function linesIn(
  plot: SeriesPlot<string>,
  y: number,
  x: (at: number) => number,
): readonly string[] {
  const layers = plot.form === "stack" ? stackedOf(plot) : plot.series.map(({ values }) => values);
  const max = Math.max(1e-9, ...layers.flat().map((value) => value ?? 0));
  const yOf = (value: number): number => round(y + plotHeight * (1 - value / max));
  const parts = [
    `<path d="M${left} ${y}V${y + plotHeight}H${width - right}" fill="none" stroke="#bbb"/>`,
    endingAt(left - 6, y + 10, describeValue(max, plot.unit)),
    endingAt(left - 6, y + plotHeight, "0"),
  ];
  // Draw the upper layers first, so that the lower ones cover them.
  for (const index of [...plot.series.keys()].reverse()) {
    const series = plot.series[index];
    if (series === undefined) continue;
    const color = paperColors[series.color];
    const path = pathOf(plot, layers[index] ?? [], x, yOf);
    if (path === "") continue;
    parts.push(
      plot.form === "stack"
        ? `<path d="${path}V${y + plotHeight}H${x(plot.times[0] ?? 0)}Z" fill="${color}"/>`
        : `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"${series.isDashed === true ? ' stroke-dasharray="6 4"' : ""}/>`,
    );
  }
  let at = left + 220;
  for (const { name, color } of plot.series) {
    parts.push(
      `<rect x="${at}" y="${y - 15}" width="10" height="10" fill="${paperColors[color]}"/>`,
    );
    parts.push(textAt(at + 14, y - 6, name, "11px sans-serif"));
    at += 40 + 7 * name.length;
  }
  return parts;
}

/** Returns the cumulative sums of the series, which are the upper edges of the stacked areas. */
export function stackedOf<Text>({
  series,
  times,
}: SeriesPlot<Text>): readonly (readonly number[])[] {
  const sums = times.map(() => 0);
  return series.map(({ values }) =>
    times.map((_, index) => (sums[index] = (sums[index] ?? 0) + (values[index] ?? 0))),
  );
}

/**
 * Returns the highest value in a period; in a stack, the highest sum of all series. Includes the point before the
 * period, and for lines also the point after it, because lines to them cross the period. 0 without values.
 */
export function highestIn(
  plot: SeriesPlot<string>,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const { times, form } = plot;
  const layers =
    form === "stack" ? stackedOf(plot).slice(-1) : plot.series.map((one) => one.values);
  const after = times.findIndex((at) => at > to);
  const first = Math.max(
    0,
    times.findLastIndex((at) => at <= from),
  );
  const end = after === -1 ? times.length : form === "lines" ? after + 1 : after;
  let highest = 0;
  for (const values of layers)
    for (let index = first; index < end; index += 1)
      highest = Math.max(highest, values[index] ?? 0);
  return highest;
}

function pathOf(
  { form, times }: SeriesPlot<string>,
  values: readonly (number | undefined | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    const at = times[index];
    if (!isKnown(value) || at === undefined) isOpen = false;
    else if (!isOpen) {
      path += `M${x(at)} ${y(value)}`;
      isOpen = true;
    } else path += form === "lines" ? `L${x(at)} ${y(value)}` : `H${x(at)}V${y(value)}`;
  }
  return path;
}

/** Formats a value with its unit: `12`, `1.4 GiB`, `3.5 %`. */
export function describeValue(value: number, unit: PlotUnit): string {
  if (unit === "percent") return `${Number(value.toFixed(1))} %`;
  if (unit === "count") return Number(value.toFixed(2)).toLocaleString("en-US");
  const power = Math.min(4, Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10)));
  const amount = value / 2 ** (10 * power);
  return `${Number(amount.toFixed(amount < 10 ? 2 : 1))} ${["B", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

const isKnown = (value: number | undefined | null): value is number =>
  value !== undefined && value !== null;

const round = (value: number): number => Number(value.toFixed(1));

const textAt = (x: number, y: number, text: string, font: string): string =>
  `<text x="${x}" y="${y}" style="font:${font}" fill="#3b3b3b">${escaped(text)}</text>`;

const endingAt = (x: number, y: number, text: string): string =>
  `<text x="${x}" y="${y}" text-anchor="end" style="font:11px sans-serif" fill="#3b3b3b">${escaped(text)}</text>`;

const escaped = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
