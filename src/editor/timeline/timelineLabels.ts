import { l10n } from "vscode";
import type { TimelineContent } from "../../spark/timeline/timelinePanel.ts";

/** The texts of the panel's page. */
export const timelineLabels = (): TimelineContent["labels"] => ({
  zoomIn: l10n.t("Zoom In"),
  zoomOut: l10n.t("Zoom Out"),
  reset: l10n.t("Show All"),
  savePng: l10n.t("Save PNG"),
  saveSvg: l10n.t("Save SVG"),
  saveCsv: l10n.t("Save CSV"),
  tools: l10n.t("Timeline"),
  table: l10n.t("Table"),
  time: l10n.t("Time"),
  until: l10n.t("Until"),
  name: l10n.t("Name"),
  details: l10n.t("Details"),
  empty: l10n.t("No data"),
  keys: l10n.t(
    "Left and right arrow keys move the cursor, plus and minus zoom, 0 shows all, Enter opens",
  ),
});
