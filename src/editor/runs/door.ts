import { workspace } from "vscode";
import { window } from "../ui/window.ts";
import { windowScreen } from "../windowScreen.ts";
import { gitCommitOf } from "./gitCommit.ts";
import type { RunNode } from "./runNode.ts";
import * as runs from "./runCommands.ts";

const inWindow =
  (command: typeof runs.openRunDocument) =>
  (context: runs.RunCommandContext, nodes: readonly RunNode[]): Promise<void> =>
    command(context, nodes, runsWindow);

const runsWindow: runs.RunsWindow = {
  screen: windowScreen,
  commitOf: gitCommitOf,
  openText: async (language, content) => {
    const document = await workspace.openTextDocument({ language, content });
    await window.showTextDocument(document, { preview: false });
  },
};

export const compareRuns = inWindow(runs.compareRuns);
export const openRunDocument = inWindow(runs.openRunDocument);
export const openPostMortem = inWindow(runs.openPostMortem);
export const repeatRun = inWindow(runs.repeatRun);
export const removeRuns = inWindow(runs.removeRuns);
