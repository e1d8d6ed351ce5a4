import { workspace } from "vscode";
import { settingsSection } from "../ids.ts";
import { callsCommands, startsSessions } from "./workspaceTriggers.ts";

/** True if the workspace's tasks or launch configurations refer to a command of this extension. */
export const workspaceCallsCommands = (): boolean =>
  triggers().some((own) => callsCommands(own, settingsSection));

/** True if the workspace's tasks or launch configurations can start a debug session without the user. */
export const workspaceStartsSessions = (): boolean => triggers().some(startsSessions);

/**
 * Returns the settings `tasks` and `launch` of the workspace and its folders, which the authors of the workspace
 * control.
 */
const triggers = (): readonly unknown[] =>
  [undefined, ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri)].flatMap((folder) =>
    ["tasks", "launch"].flatMap((section) => {
      const all = workspace.getConfiguration(undefined, folder).inspect(section);
      return [all?.workspaceValue, all?.workspaceFolderValue];
    }),
  );
