import { l10n, tasks, TaskScope, window, workspace, type Task, type Uri } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { taskType } from "../ids.ts";
import { startsByItself, taskEntries, type TaskEntry } from "./taskGraph.ts";

/** A profile by its name, as rows and lenses hand it to commands. */
export interface ProfileName {
  readonly kind: "profile";
  readonly name: string;
  /** The workspace's folder that it belongs to; undefined for one of the whole workspace or the user. */
  readonly folder: Uri | undefined;
}

export const isProfileName = (value: unknown): value is ProfileName =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "profile";

/** The profiles of the workspace; none is made up. */
export const findProfiles = (): Thenable<Task[]> =>
  // To be asked for tasks, the editor would ask for trust.
  workspace.isTrusted ? tasks.fetchTasks({ type: taskType }) : Promise.resolve([]);

export const nameOfTask = ({ name, scope }: Task): ProfileName => ({
  kind: "profile",
  name,
  folder: folderOf(scope),
});

/** The folder that a task belongs to; one of the whole workspace belongs to the first. */
export function folderOf(scope: Task["scope"]): Uri | undefined {
  if (typeof scope === "object") return scope.uri;
  return scope === TaskScope.Global ? undefined : workspace.workspaceFolders?.[0]?.uri;
}

export async function findProfile({ name, folder }: ProfileName): Promise<Task | undefined> {
  const named = (await findProfiles()).filter((task) => task.name === name);
  const isHere = (task: Task): boolean => folderOf(task.scope)?.toString() === folder?.toString();
  return named.find(isHere) ?? named[0];
}

/** Whether the editor runs a task without being asked, when it opens the folder. */
export const startsWithFolder = (name: string, folder: Uri | undefined): boolean =>
  startsByItself(entriesOf(folder), name);

/** What runs before a task, by the labels; undefined where only the editor can tell. */
export const dependenciesOf = (
  name: string,
  folder: Uri | undefined,
): readonly string[] | undefined => {
  const entry = entriesOf(folder).find(({ label }) => label === name);
  return entry === undefined ? [] : entry.dependsOn;
};

/** Runs tasks one after the other; false, and said, as soon as one fails. */
export async function runInOrder(names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    const task = (await tasks.fetchTasks()).find((each) => each.name === name);
    const exitCode = task === undefined ? undefined : await runToEnd(task);
    if (exitCode === 0) continue;
    void window.showErrorMessage(
      task === undefined
        ? l10n.t('Nothing was submitted: there is no task "{0}", which has to run before.', name)
        : l10n.t('Nothing was submitted: the task "{0}", which has to run before, failed.', name),
    );
    return false;
  }
  return true;
}

async function runToEnd(task: Task): Promise<number | undefined> {
  const owned = new DisposableStore();
  try {
    const isIt = (other: Task): boolean => other.name === task.name && other.source === task.source;
    const ended = new Promise<number | undefined>((resolve) => {
      owned.add(
        tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          if (isIt(execution.task)) resolve(exitCode);
        }),
      );
      owned.add(
        tasks.onDidEndTask(({ execution }) => {
          // Of a task without a process this is all that is heard; of others it comes after the exit code.
          if (isIt(execution.task)) resolve(undefined);
        }),
      );
    });
    await tasks.executeTask(task);
    return await ended;
  } finally {
    owned.dispose();
  }
}

function entriesOf(folder: Uri | undefined): readonly TaskEntry[] {
  const said = workspace.getConfiguration("tasks", folder).inspect("tasks");
  return [said?.workspaceFolderValue, said?.workspaceValue, said?.globalValue].flatMap(taskEntries);
}
