import { l10n, tasks, TaskScope, workspace, type Task, type Uri } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { taskType } from "../ids.ts";
import { taskEntries, type TaskEntry } from "./taskGraph.ts";
import { window } from "../ui/window.ts";

/** Returns the profiles in tasks.json and the workspace file; none in an untrusted workspace. */
export const findProfiles = (): Thenable<Task[]> =>
  // Do not call fetchTasks in an untrusted workspace, because it would prompt for trust.
  workspace.isTrusted ? tasks.fetchTasks({ type: taskType }) : Promise.resolve([]);

/** Returns the folder of a task: for a workspace task, the first workspace folder. Undefined for a user task. */
export function folderOf(scope: Task["scope"]): Uri | undefined {
  if (typeof scope === "object") return scope.uri;
  return scope === TaskScope.Global ? undefined : workspace.workspaceFolders?.[0]?.uri;
}

/** Returns the labels of the tasks that a task depends on; undefined if only VS Code can resolve them. */
export const dependenciesOf = (
  name: string,
  folder: Uri | undefined,
): readonly string[] | undefined => {
  const entry = entriesOf(folder).find(({ label }) => label === name);
  return entry === undefined ? [] : entry.dependsOn;
};

/** Runs tasks in sequence. Stops at the first failure, shows it and returns false. */
export async function runInOrder(names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    const task = (await tasks.fetchTasks()).find((each) => each.name === name);
    const exitCode = task === undefined ? undefined : await runToEnd(task);
    if (exitCode === 0) continue;
    void window.showErrorMessage(
      task === undefined
        ? l10n.t('Not submitted: the task "{0}" that it depends on was not found.', name)
        : l10n.t('Not submitted: the task "{0}" that it depends on failed.', name),
    );
    return false;
  }
  return true;
}

/** Runs a task and returns its exit code; undefined if it has none. Terminates the task when `signal` aborts. */
export async function runToEnd(task: Task, signal?: AbortSignal): Promise<number | undefined> {
  const owned = new DisposableStore();
  try {
    const isSame = (other: Task): boolean =>
      other.name === task.name && other.source === task.source;
    const ended = new Promise<number | undefined>((resolve) => {
      owned.add(
        tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          if (isSame(execution.task)) resolve(exitCode);
        }),
      );
      owned.add(
        tasks.onDidEndTask(({ execution }) => {
          // A task without a process has only this event. For other tasks this event follows onDidEndTaskProcess.
          if (isSame(execution.task)) resolve(undefined);
        }),
      );
    });
    const execution = await tasks.executeTask(task);
    const stop = (): void => {
      execution.terminate();
    };
    signal?.addEventListener("abort", stop, { once: true });
    owned.add({
      dispose: () => {
        signal?.removeEventListener("abort", stop);
      },
    });
    return await ended;
  } finally {
    owned.dispose();
  }
}

function entriesOf(folder: Uri | undefined): readonly TaskEntry[] {
  const said = workspace.getConfiguration("tasks", folder).inspect("tasks");
  return [said?.workspaceFolderValue, said?.workspaceValue, said?.globalValue].flatMap(taskEntries);
}
