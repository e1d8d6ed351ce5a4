import { isRecord } from "../../base/json.ts";

/** A task's label and dependencies. */
export interface TaskEntry {
  readonly label: string;
  /** Labels of its dependencies; undefined if a dependency is not given by its label. */
  readonly dependsOn: readonly string[] | undefined;
}

/** Decodes a value of VS Code's setting `tasks.tasks`, the array in tasks.json. Skips entries that are not objects. */
export function taskEntries(tasks: unknown): readonly TaskEntry[] {
  return (Array.isArray(tasks) ? tasks : []).filter(isRecord).map((task) => {
    const { label, taskName, name, dependsOn = [] } = task;
    const names: readonly unknown[] = Array.isArray(dependsOn) ? dependsOn : [dependsOn];
    const texts = names.filter((each) => typeof each === "string");
    return {
      // VS Code uses a task's `name` as its label, because the profile's schema has a member `name`.
      label: [label, taskName, name].find((each) => typeof each === "string") ?? "",
      dependsOn: texts.length === names.length ? texts : undefined,
    };
  });
}
