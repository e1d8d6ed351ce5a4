import {
  Task,
  TaskPanelKind,
  TaskRevealKind,
  TaskScope,
  workspace,
  type CustomExecution,
  type TaskDefinition,
} from "vscode";

/** A task whose terminal is its own and shows what it has to say, however often it runs. */
export function runTask(
  definition: TaskDefinition,
  scope: Task["scope"],
  name: string,
  source: string,
  execution: CustomExecution,
): Task {
  const task = new Task(definition, scope ?? TaskScope.Workspace, name, source, execution);
  task.presentationOptions = {
    reveal: TaskRevealKind.Always,
    panel: TaskPanelKind.Dedicated,
    clear: true,
    showReuseMessage: false,
  };
  return task;
}

/** Where relative paths of a task begin. */
export function directoryOf(scope: Task["scope"]): string {
  const folder = typeof scope === "object" ? scope : workspace.workspaceFolders?.[0];
  return folder?.uri.fsPath ?? "/";
}
