import type { Memento, TaskDefinition } from "vscode";
import { isRecord } from "../../base/json.ts";
import { storedMember, storedMembers } from "../stored.ts";
import { taskWithoutSecrets } from "./knownRuns.ts";

const memoryKey = "submit.fileRuns";
const maxFiles = 50;

/** Returns the definition that last ran a file, without its secrets. Undefined if none is stored. */
export function fileRun(memory: Memento, path: string): TaskDefinition | undefined {
  const stored = storedMember(memory, memoryKey, path);
  return isRecord(stored) && typeof stored["type"] === "string"
    ? { ...stored, type: stored["type"] }
    : undefined;
}

/**
 * Stores the definition for the next run of the file, without its secrets. Keeps the definitions of the 50 files that
 * ran last.
 */
export async function rememberFileRun(
  memory: Memento,
  path: string,
  definition: TaskDefinition,
): Promise<void> {
  const others = [...storedMembers(memory, memoryKey)].filter(([key]) => key !== path);
  const all = [...others, [path, taskWithoutSecrets(definition).value] as const];
  await memory.update(memoryKey, Object.fromEntries(all.slice(-maxFiles)));
}
