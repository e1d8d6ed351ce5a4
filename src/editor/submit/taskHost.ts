import { CustomExecution, tasks, TaskScope, ThemeIcon, Uri, workspace } from "vscode";
import {
  dependenciesOf,
  findProfile,
  findProfiles,
  folderOf,
  runInOrder,
} from "../profiles/profileTasks.ts";
import { directoryOf, reuseTerminal, runTask } from "../ui/runTask.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { openAt } from "./openAt.ts";
import type { SubmitScreen, TaskHost } from "./taskPorts.ts";
import { workspaceCallsCommands, workspaceStartsSessions } from "./workspaceStarts.ts";
import { pickFolder, writeProfile } from "./writeProfile.ts";

export const taskHost: TaskHost = {
  workspaceScope: TaskScope.Workspace,
  findProfiles,
  findProfile,
  folderOf,
  directoryOf,
  dependenciesOf,
  runInOrder,
  isActive: (name) => tasks.taskExecutions.some((execution) => execution.task.name === name),
  execute: (task) => tasks.executeTask(task),
  newTask: ({ definition, scope, name }, open) =>
    runTask(definition, scope, name, "spark", new CustomExecution(open)),
  reuseTerminal,
  workspaceCallsCommands,
  workspaceStartsSessions,
  saveAll: () => workspace.saveAll(false),
  file: (path) => Uri.file(path),
  openAt,
  pickFolder,
  writeProfile,
};

export const submitScreen: SubmitScreen = {
  showInformationMessage: window.showInformationMessage,
  showWarningMessage: window.showWarningMessage,
  showErrorMessage: window.showErrorMessage,
  showInputBox: window.showInputBox,
  showQuickPick: window.showQuickPick,
  translated,
  icon: (id) => new ThemeIcon(id),
};
