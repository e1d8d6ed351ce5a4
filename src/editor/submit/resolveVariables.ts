import { env, extensions, l10n, tasks, workspace, type Uri } from "vscode";
import {
  fileValues,
  folderValues,
  separatorOf,
  type Variable,
} from "../../spark/submit/profile/variables.ts";
import { window } from "../ui/window.ts";
import {
  optionsOf,
  resolvedDefinition,
  secretVariablesIn,
  textOf,
  type Input,
  type ResolvedDefinition,
} from "./definitionVariables.ts";

/** Resolves the variables of a definition for a preview or check; see `resolvedDefinition`. */
export function resolveVariables(
  definition: unknown,
  folder: Uri | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ResolvedDefinition | undefined> {
  const simple = simpleValues(folder, environment);
  return resolvedDefinition(definition, {
    inputs: inputsOf(folder),
    environment,
    valueOf: (variable) => valueOf(variable, simple, folder),
    ask: askInput,
  });
}

/** Returns a test for variables that are password inputs or have secret-looking names. */
export const secretVariables = (folder: Uri | undefined): ((variable: Variable) => boolean) =>
  secretVariablesIn(inputsOf(folder));

const inputsOf = (folder: Uri | undefined): unknown =>
  workspace.getConfiguration("tasks", folder).get("inputs");

async function valueOf(
  { name, argument }: Variable,
  simple: Readonly<Record<string, string>>,
  folder: Uri | undefined,
): Promise<string | undefined> {
  switch (name) {
    case "config":
      return textOf(workspace.getConfiguration(undefined, folder).get(argument ?? ""));
    case "extensionInstallFolder":
      return extensions.getExtension(argument ?? "")?.extensionUri.fsPath;
    case "defaultBuildTask":
      return (await tasks.fetchTasks()).find(
        ({ group }) => group?.id === "build" && group.isDefault,
      )?.name;
    default:
      return argument === undefined ? simple[name] : ofFolder(name, argument);
  }
}

// `${workspaceFolder:api}` refers to the workspace folder named `api`.
function ofFolder(name: string, folderName: string): string | undefined {
  const folder = workspace.workspaceFolders?.find((each) => each.name === folderName);
  return folder && simpleValues(folder.uri, {})[name];
}

function simpleValues(
  folder: Uri | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const editor = window.activeTextEditor;
  const file = editor?.document.uri.scheme === "file" ? editor.document.uri : undefined;
  const fileFolder = file && workspace.getWorkspaceFolder(file)?.uri.fsPath;
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  const separator = separatorOf(folder?.fsPath ?? file?.fsPath ?? env.appRoot);
  return {
    ...(folder === undefined ? {} : folderValues(folder.fsPath)),
    ...(file === undefined
      ? {}
      : fileValues({ path: file.fsPath, folder: fileFolder }, folder?.fsPath)),
    ...(editor === undefined
      ? {}
      : {
          lineNumber: `${editor.selection.active.line + 1}`,
          columnNumber: `${editor.selection.active.character + 1}`,
          selectedText: editor.document.getText(editor.selection),
        }),
    ...(home === undefined ? {} : { userHome: home }),
    pathSeparator: separator,
    "/": separator,
  };
}

async function askInput(input: Input): Promise<string | undefined> {
  const prompt = input.description === "" ? input.id : input.description;
  const title = l10n.t("Value of {0}", `\${input:${input.id}}`);
  switch (input.type) {
    case "promptString":
      return window.showInputBox({
        title,
        prompt,
        ignoreFocusOut: true,
        ...(input.default === undefined ? {} : { value: input.default }),
      });
    case "pickString": {
      const pick = { title, placeHolder: prompt, ignoreFocusOut: true };
      return (await window.showQuickPick(optionsOf(input), pick))?.value;
    }
    default:
      return undefined;
  }
}
