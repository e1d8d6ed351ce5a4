import type { Plot } from "../spark/timeline/plots.ts";
import { element } from "./element.ts";
import type { TimelineContent } from "../spark/timeline/timelinePanel.ts";

// The CSV file has all rows.
const maxRows = 1_000;

/** The numbers of a plot, unrounded, the newest first. */
export function valueTable(plot: Plot<string>, labels: TimelineContent["labels"]): HTMLElement {
  const table = element("table");
  const head = element("tr");
  const rows = rowsOf(plot, labels);
  for (const text of rows.head) head.append(element("th", "", text));
  const body = element("tbody");
  for (const cells of rows.body.slice(-maxRows).reverse()) {
    const row = element("tr");
    for (const text of cells) row.append(element("td", "", text));
    body.append(row);
  }
  const top = element("thead");
  top.append(head);
  table.append(element("caption", "", plot.title), top, body);
  const frame = element("div", "frame");
  frame.tabIndex = 0;
  frame.append(table);
  return frame;
}

interface TableRows {
  readonly head: readonly string[];
  readonly body: readonly (readonly string[])[];
}

function rowsOf(
  plot: Plot<string>,
  { time, until, name, details }: TimelineContent["labels"],
): TableRows {
  if (plot.form === "bars") {
    return {
      head: [time, until, name, details],
      body: plot.bars.map((bar) => [exactTime(bar.from), exactTime(bar.to), bar.name, bar.text]),
    };
  }
  return {
    head: [time, ...plot.series.map((series) => series.name)],
    body: plot.times.map((at, index) => [
      exactTime(at),
      ...plot.series.map(({ values }) => {
        const value = values[index];
        return value === undefined || value === null ? "–" : String(value);
      }),
    ]),
  };
}

const exactTime = (at: number): string => new Date(at).toLocaleString();
