import type { Task, Uri } from "vscode";

/** Identifies a profile; the command argument of tree rows and CodeLenses. */
export interface ProfileName {
  readonly kind: "profile";
  readonly name: string;
  /** The profile's workspace folder; undefined for a profile in the workspace file or in the user's tasks. */
  readonly folder: Uri | undefined;
  /** The context of the run, unless the profile sets one. */
  readonly context?: string | undefined;
}

export const isProfileName = (value: unknown): value is ProfileName =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "profile";

type ScopedTask = Pick<Task, "name" | "scope">;
type FolderOfScope = (scope: Task["scope"]) => Uri | undefined;

export const nameOfTask = ({ name, scope }: ScopedTask, folderOf: FolderOfScope): ProfileName => ({
  kind: "profile",
  name,
  folder: folderOf(scope),
});

/** Finds the task of a profile: the task of its folder, else the first task with its name. */
export function taskOfProfile<T extends ScopedTask>(
  tasks: readonly T[],
  { name, folder }: ProfileName,
  folderOf: FolderOfScope,
): T | undefined {
  const named = tasks.filter((task) => task.name === name);
  const isHere = ({ scope }: T): boolean => folderOf(scope)?.toString() === folder?.toString();
  return named.find(isHere) ?? named[0];
}
