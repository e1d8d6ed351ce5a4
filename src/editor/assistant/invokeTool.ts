import { workspace } from "vscode";
import type { AssistantHost, AssistantQuestion } from "../../engine/assistant/assistantTool.ts";
import type * as toolsDoor from "../../engine/assistant/door.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { mayChange } from "../guard.ts";
import { window } from "../ui/window.ts";

/** The dependencies of `invokeTool`, without the members of `AssistantHost` that it creates. */
export interface AssistantOptions extends Omit<
  AssistantHost,
  "mayChange" | "files" | "workingDirectory"
> {
  readonly loadTools: () => Promise<typeof toolsDoor>;
  readonly loadFiles: () => Promise<AssistantHost["files"]>;
}

/**
 * Calls a tool for a language model. Returns the result as JSON, or an error message. Relative paths in a preview refer
 * to the first workspace folder.
 */
export async function invokeTool(
  name: string,
  given: unknown,
  { loadTools, loadFiles, ...options }: AssistantOptions,
  signal: AbortSignal,
): Promise<string> {
  const { assistantTools, callTool, filesInside } = await loadTools();
  const tool = assistantTools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool "${name}"`);
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const host: AssistantHost = {
    ...options,
    files: filesInside(await loadFiles(), folder),
    workingDirectory: folder ?? "/",
    mayChange: async (connection, question) => ({
      kind: (await askFor(connection, question)) ? "approved" : "declined",
    }),
  };
  const result = await callTool(tool, host, given, signal);
  if (result.ok) return JSON.stringify(result.value, undefined, 2);
  // "later" cannot occur, because the editor prompts the user at once.
  if (result.error === "later") throw new Error(`${name} was not decided`);
  return result.error.text;
}

const askFor = (connection: Connection, { action, detail }: AssistantQuestion): Promise<boolean> =>
  mayChange(connection, action, async () => {
    const options = { modal: true, detail };
    return (await window.showWarningMessage(`${action}?`, options, action)) === action;
  });
