import {
  Task,
  TaskPanelKind,
  TaskRevealKind,
  TaskScope,
  workspace,
  type CustomExecution,
  type ShellExecution,
  type TaskDefinition,
} from "vscode";
import { textRules } from "./plainText.ts";

/** Creates a task with a dedicated terminal that is shown on each run. */
export function runTask(
  definition: TaskDefinition,
  scope: Task["scope"],
  name: string,
  source: string,
  execution: CustomExecution | ShellExecution,
): Task {
  const task = new Task(
    definition,
    scope ?? TaskScope.Workspace,
    textRules.name(name),
    source,
    execution,
  );
  task.presentationOptions = {
    reveal: TaskRevealKind.Always,
    panel: TaskPanelKind.Dedicated,
    clear: true,
    // VS Code closes the terminal of an ended run at the next key, and this message announces it.
    showReuseMessage: true,
  };
  return task;
}

/** Lets the runs of a task share a terminal. `isRepeated`: true if the run must not reveal the terminal. */
export function reuseTerminal(task: Task, isRepeated: boolean): Task {
  task.presentationOptions = {
    ...task.presentationOptions,
    reveal: isRepeated ? TaskRevealKind.Silent : TaskRevealKind.Always,
    panel: TaskPanelKind.Shared,
  };
  return task;
}

/** Returns the folder that relative paths in a task refer to. */
export function directoryOf(scope: Task["scope"]): string {
  const folder = typeof scope === "object" ? scope : workspace.workspaceFolders?.[0];
  return folder?.uri.fsPath ?? "/";
}
