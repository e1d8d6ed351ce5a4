import {
  commands as editorCommands,
  l10n,
  StatusBarAlignment,
  TextDocumentSaveReason,
  ThemeIcon,
  workspace,
  type Uri,
} from "vscode";
import { commands, runsOnSaveKey } from "../ids.ts";
import { window } from "../ui/window.ts";
import { windowScreen } from "../windowScreen.ts";
import type { SaveWindow } from "./saveRuns.ts";

export const saveWindow: SaveWindow = {
  screen: windowScreen,
  setActive: (isActive) => {
    void editorCommands.executeCommand("setContext", runsOnSaveKey, isActive);
  },
  createMark: (program) => {
    const item = window.createStatusBarItem("sparkK8s.runOnSave", StatusBarAlignment.Left);
    item.name = l10n.t("Run on Save");
    item.text = l10n.t("Run on Save: {0}", program);
    item.command = commands.stopRunOnSave;
    return {
      show: ({ isBusy, words }) => {
        item.icon = new ThemeIcon(isBusy ? "sync~spin" : "sync");
        item.tooltip = [
          l10n.t("Last run: {0}", words),
          l10n.t("A save stops and deletes the last run and starts another one."),
          l10n.t("Select to turn it off. The last run continues."),
        ].join("\n");
        item.show();
      },
      dispose: () => {
        item.dispose();
      },
    };
  },
  onWillSave: (saves) =>
    workspace.onWillSaveTextDocument(({ document, reason }) => {
      saves(document.uri, reason === TextDocumentSaveReason.AfterDelay);
    }),
  onDidSave: (saved) =>
    workspace.onDidSaveTextDocument(({ uri, languageId }) => {
      const isInWorkspace = workspace.getWorkspaceFolder(uri) !== undefined;
      saved({ uri, languageId, isInWorkspace, createdAt: () => createdAt(uri) });
    }),
  onTasksChange: (changed) =>
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("tasks")) changed();
    }),
};

async function createdAt(uri: Uri): Promise<number | undefined> {
  try {
    return (await workspace.fs.stat(uri)).ctime;
  } catch {
    return undefined;
  }
}
