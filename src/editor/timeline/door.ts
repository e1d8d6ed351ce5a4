import { Uri, workspace } from "vscode";
import { openPagePanel } from "../ui/pagePanel.ts";
import { window } from "../ui/window.ts";
import { timelinePanels, type OpenTimelines, type TimelineContext } from "./openTimelines.ts";

interface TimelineOptions extends Omit<TimelineContext, "openPanel" | "saveFile"> {
  /** The folder of the panel's script and style. */
  readonly pages: Uri;
}

export const openTimelines = ({ pages, ...context }: TimelineOptions): OpenTimelines =>
  timelinePanels({
    ...context,
    openPanel: (options) =>
      openPagePanel({
        viewType: "sparkK8s.timeline",
        script: Uri.joinPath(pages, "timeline.js"),
        style: Uri.joinPath(pages, "timelineStyle.css"),
        column: "active",
        ...options,
      }),
    saveFile,
  });

async function saveFile(name: string, extension: string, bytes: Uint8Array): Promise<boolean> {
  const file = await window.showSaveDialog({
    name,
    filters: { [extension.toUpperCase()]: [extension] },
  });
  if (file === undefined) return false;
  await workspace.fs.writeFile(file, bytes);
  return true;
}
