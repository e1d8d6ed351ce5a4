import { isRecord } from "../../base/json.ts";

/** A task's label and dependencies. */
export interface TaskEntry {
  readonly label: string;
  /** Labels of its dependencies; undefined if a dependency is not given by its label. */
  readonly dependsOn: readonly string[] | undefined;
}

/** Reads the `tasks` setting; skips entries that are not tasks. */
export function taskEntries(tasks: unknown): readonly TaskEntry[] {
  return (Array.isArray(tasks) ? tasks : []).filter(isRecord).map((task) => {
    const { label, taskName, name, dependsOn = [] } = task;
    const names: readonly unknown[] = Array.isArray(dependsOn) ? dependsOn : [dependsOn];
    const texts = names.filter((each) => typeof each === "string");
    return {
      // VS Code uses a task's `name` as its label, since the profile's schema has a member `name`.
      label: [label, taskName, name].find((each) => typeof each === "string") ?? "",
      dependsOn: texts.length === names.length ? texts : undefined,
    };
  });
}
