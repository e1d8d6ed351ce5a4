/** A task of a tasks.json, as far as others start it. */
export interface TaskEntry {
  readonly label: string;
  /** Labels of the tasks that run before it; undefined where it names one in another way. */
  readonly dependsOn: readonly string[] | undefined;
  readonly startsWithFolder: boolean;
}

/** Reads the `tasks` of a configuration; what is no task is left out. */
export function taskEntries(tasks: unknown): readonly TaskEntry[] {
  return (Array.isArray(tasks) ? tasks : []).filter(isRecord).map((task) => {
    const { label, taskName, dependsOn = [], runOptions } = task;
    const names: readonly unknown[] = Array.isArray(dependsOn) ? dependsOn : [dependsOn];
    const texts = names.filter((name) => typeof name === "string");
    return {
      label: [label, taskName].find((name) => typeof name === "string") ?? "",
      dependsOn: texts.length === names.length ? texts : undefined,
      startsWithFolder: isRecord(runOptions) && runOptions["runOn"] === "folderOpen",
    };
  });
}

/** Whether the opening of a folder starts a task, by itself or because another one needs it. */
export function startsByItself(entries: readonly TaskEntry[], label: string): boolean {
  const reached = new Set<string>();
  const reach = (entry: TaskEntry): void => {
    if (reached.has(entry.label)) return;
    reached.add(entry.label);
    for (const name of entry.dependsOn ?? entries.map((each) => each.label)) {
      entries.filter((each) => each.label === name).forEach(reach);
    }
  };
  entries.filter((entry) => entry.startsWithFolder).forEach(reach);
  return reached.has(label);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
