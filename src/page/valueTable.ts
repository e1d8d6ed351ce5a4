import type { Plot } from "../spark/timeline/plots.ts";
import { tableRows } from "../spark/timeline/plotView.ts";
import { element } from "./element.ts";
import type { TimelineContent } from "../spark/timeline/timelinePanel.ts";
import { dateAndTime } from "../base/timeOfDay.ts";

/** Creates a table with the unrounded values of a plot, newest first. */
export function valueTable(plot: Plot<string>, labels: TimelineContent["labels"]): HTMLElement {
  const table = element("table");
  const head = element("tr");
  const rows = tableRows(plot, labels, exactTime);
  for (const text of rows.head) head.append(element("th", "", text));
  const body = element("tbody");
  for (const cells of rows.body) {
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

const exactTime = (at: number): string => dateAndTime(at, "seconds");
