import { msg, type ShowMessage } from "../../base/message.ts";
import type { TimelineContent } from "../../spark/timeline/timelinePanel.ts";

/** Returns the labels of the timeline page in the language of VS Code. */
export const timelineLabels = (show: ShowMessage): TimelineContent["labels"] => ({
  zoomIn: show(msg("Zoom In")),
  zoomOut: show(msg("Zoom Out")),
  reset: show(msg("Show All")),
  savePng: show(msg("Save PNG")),
  saveSvg: show(msg("Save SVG")),
  saveCsv: show(msg("Save CSV")),
  tools: show(msg("Timeline")),
  table: show(msg("Table")),
  time: show(msg("Time")),
  until: show(msg("Until")),
  name: show(msg("Name")),
  details: show(msg("Details")),
  bytes: show(msg("bytes")),
  keys: show(
    msg("Left and right arrow keys move the cursor, plus and minus zoom, 0 shows all, Enter opens"),
  ),
});
