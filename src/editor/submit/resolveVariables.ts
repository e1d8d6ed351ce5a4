import { env, extensions, tasks, workspace, type Uri } from "vscode";
import type { Variable } from "../../spark/submit/profile/variables.ts";
import { window } from "../ui/window.ts";
import { windowScreen } from "../windowScreen.ts";
import {
  resolvedDefinition,
  secretVariablesIn,
  type ResolvedDefinition,
} from "./definitionVariables.ts";
import { variableSource, type VariableHost } from "./variableSource.ts";

/** Resolves the variables of a definition for a preview or check; see `resolvedDefinition`. */
export const resolveVariables = (
  definition: unknown,
  folder: Uri | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ResolvedDefinition | undefined> =>
  resolvedDefinition(definition, variableSource(variableHost(folder), environment));

/** Returns a test for variables that are password inputs or have secret-looking names. */
export const secretVariables = (folder: Uri | undefined): ((variable: Variable) => boolean) =>
  secretVariablesIn(settingOf(folder)("tasks.inputs"));

const settingOf =
  (folder: Uri | undefined) =>
  (name: string): unknown =>
    workspace.getConfiguration(undefined, folder).get(name);

function variableHost(folder: Uri | undefined): VariableHost {
  const editor = window.activeTextEditor;
  const uri = editor?.document.uri;
  return {
    screen: windowScreen,
    folder: folder?.fsPath,
    folders: (workspace.workspaceFolders ?? []).map((one) => ({
      name: one.name,
      path: one.uri.fsPath,
    })),
    editor: editor && {
      file:
        uri?.scheme === "file"
          ? { path: uri.fsPath, folder: workspace.getWorkspaceFolder(uri)?.uri.fsPath }
          : undefined,
      line: editor.selection.active.line,
      character: editor.selection.active.character,
      selected: editor.document.getText(editor.selection),
    },
    appRoot: env.appRoot,
    setting: settingOf(folder),
    extensionFolder: (id) => extensions.getExtension(id)?.extensionUri.fsPath,
    tasks: () => tasks.fetchTasks(),
  };
}
