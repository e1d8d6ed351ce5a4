import {
  l10n,
  ShellExecution,
  TaskGroup,
  tasks,
  TaskRevealKind,
  TaskScope,
  workspace,
  type Task,
  type Uri,
} from "vscode";
import { runTask } from "../ui/runTask.ts";
import { runToEnd } from "../profiles/profileTasks.ts";

/**
 * Runs the task with this label. Without such a task, runs the text as a command line in the directory. Shows the
 * output in a task terminal. Returns the exit code; undefined if there is none, or in an untrusted workspace. When
 * `signal` aborts, ends the task and rejects with an AbortError.
 */
export async function runBuild(
  build: string,
  directory: string,
  folder: Uri | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (!workspace.isTrusted) return undefined;
  const known = (await tasks.fetchTasks()).find(({ name }) => name === build);
  signal.throwIfAborted();
  const exitCode = await runToEnd(known ?? commandTask(build, directory, folder), signal);
  signal.throwIfAborted();
  return exitCode;
}

function commandTask(command: string, directory: string, folder: Uri | undefined): Task {
  const scope = (folder && workspace.getWorkspaceFolder(folder)) ?? TaskScope.Workspace;
  const execution = new ShellExecution(command, { cwd: directory });
  const task = runTask({ type: "shell" }, scope, l10n.t("Build for Spark"), "spark", execution);
  task.group = TaskGroup.Build;
  task.presentationOptions = { reveal: TaskRevealKind.Silent, clear: true };
  return task;
}
