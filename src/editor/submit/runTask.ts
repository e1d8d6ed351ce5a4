import {
  Task,
  TaskPanelKind,
  TaskRevealKind,
  TaskScope,
  workspace,
  type CustomExecution,
  type TaskDefinition,
} from "vscode";

/** Of the manifest: where a task says nothing of its own, traces in its driver's log are problems. */
const problemMatchers = ["$spark-python", "$spark-jvm"];

/** A task whose terminal is its own and shows what it has to say, however often it runs. */
export function runTask(
  definition: TaskDefinition,
  scope: Task["scope"],
  name: string,
  source: string,
  execution: CustomExecution,
): Task {
  const inScope = scope ?? TaskScope.Workspace;
  const task = new Task(definition, inScope, name, source, execution, problemMatchers);
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
