import { Uri, window, workspace, type WorkspaceFolder } from "vscode";
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
