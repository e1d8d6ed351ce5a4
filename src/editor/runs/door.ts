import { workspace } from "vscode";
import { window } from "../ui/window.ts";
import { windowScreen } from "../windowScreen.ts";
import { gitCommitOf } from "./gitCommit.ts";
import type { RunsWindow } from "./runCommands.ts";

export {
  compareRuns,
  openPostMortem,
  openRunDocument,
  removeRuns,
  repeatRun,
} from "./runCommands.ts";

export const runsWindow: RunsWindow = {
  screen: windowScreen,
  commitOf: gitCommitOf,
  openText: async (language, content) => {
    const document = await workspace.openTextDocument({ language, content });
    await window.showTextDocument(document, { preview: false });
  },
};
