import type { Memento } from "vscode";

/** The program of the example workspace, relative to its folder. */
export const exampleProgram = "jobs/word_lengths.py";

/** Key of the stored URI of the program to open in the example workspace. */
const memoryKey = "sandbox.exampleProgram";

/** The parts of the window that the example workspace uses. Folders and files are URI strings. */
export interface ExampleWindow {
  /** Global state, shared by all windows. */
  readonly memory: Pick<Memento, "get" | "update">;
  /** The workspace folders of this window. */
  readonly folders: () => readonly string[];
  readonly openFile: (file: string) => PromiseLike<unknown>;
  /** Replaces this window, which ends the extension host. */
  readonly openFolder: (folder: string) => PromiseLike<unknown>;
}

/** Opens the example workspace with its program. */
export async function showExample(
  folder: string,
  { memory, folders, openFile, openFolder }: ExampleWindow,
): Promise<void> {
  const program = `${folder}/${exampleProgram}`;
  if (folders().includes(folder)) {
    await openFile(program);
    return;
  }
  await memory.update(memoryKey, program);
  await openFolder(folder);
}

/** Opens the program of a new example workspace, once, in the window that shows its folder. */
export async function openExampleProgram({
  memory,
  folders,
  openFile,
}: Omit<ExampleWindow, "openFolder">): Promise<void> {
  const program = memory.get<unknown>(memoryKey);
  if (typeof program !== "string") return;
  if (!folders().some((folder) => program === `${folder}/${exampleProgram}`)) return;
  await memory.update(memoryKey, undefined);
  await openFile(program);
}
