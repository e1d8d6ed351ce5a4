import { env, workspace } from "vscode";
import { inStatusBar } from "../progress.ts";
import { window } from "../ui/window.ts";
import { windowScreen } from "../windowScreen.ts";
import type { ConvertWindow } from "./convertSubmission.ts";

export const convertWindow: ConvertWindow = {
  screen: windowScreen,
  inStatusBar,
  mayReadKubeconfig: () => workspace.isTrusted,
  textOf: async (uri) => (await workspace.openTextDocument(uri)).getText(),
  activeText: () => {
    const editor = window.activeTextEditor;
    if (editor === undefined) return undefined;
    const { document, selection } = editor;
    return {
      uri: document.uri,
      languageId: document.languageId,
      text: document.getText(),
      selected: document.getText(selection),
      line: selection.active.line,
    };
  },
  clipboard: () => env.clipboard.readText(),
  tasksOfFolders: () =>
    (workspace.workspaceFolders ?? []).map(({ uri }) => ({
      uri: uri.with({ path: `${uri.path}/tasks.json` }),
      tasks: workspace.getConfiguration("tasks", uri).get("tasks"),
    })),
  folderOf: (uri) => {
    const folder = uri && workspace.getWorkspaceFolder(uri);
    return (folder ?? workspace.workspaceFolders?.[0])?.uri.fsPath;
  },
  open: async (language, content) => {
    const document = await workspace.openTextDocument({ language, content });
    await window.showTextDocument(document, { preview: false });
  },
};
