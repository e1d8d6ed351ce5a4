import { l10n, Uri, window, workspace, type WorkspaceFolder } from "vscode";
import type { RunProfile } from "../../spark/submit/runProfile.ts";
import { taskType } from "../ids.ts";
import type { TaskInput } from "./profileOfPasted.ts";

/** Adds a run profile to tasks.json, with what it asks for at each run, and shows the file. */
export async function writeProfile(
  folder: WorkspaceFolder,
  label: string,
  profile: RunProfile,
  inputs: readonly TaskInput[],
): Promise<void> {
  const configuration = workspace.getConfiguration("tasks", folder);
  const known = configuration.get<readonly unknown[]>("tasks", []);
  const asked = configuration.get<readonly Partial<TaskInput>[]>("inputs", []);
  const added = inputs.filter(({ id }) => !asked.some((other) => other.id === id));
  await configuration.update("version", "2.0.0");
  await configuration.update("tasks", [...known, { type: taskType, label, ...profile }]);
  if (added.length > 0) await configuration.update("inputs", [...asked, ...added]);
  await window.showTextDocument(Uri.joinPath(folder.uri, ".vscode/tasks.json"));
}

/** The folder whose tasks.json keeps a profile; undefined where there is none, or none was picked. */
export async function pickFolder(): Promise<WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length > 1) return window.showWorkspaceFolderPick();
  if (folders.length === 0) {
    void window.showInformationMessage(
      l10n.t("A run profile is kept in a workspace's tasks.json: open a folder first."),
    );
  }
  return folders[0];
}
