import { msg } from "../../base/message.ts";
import {
  fileValues,
  folderValues,
  separatorOf,
  type Variable,
} from "../../spark/submit/profile/variables.ts";
import type { Screen } from "../screen.ts";
import { optionsOf, printScalar, type Input, type VariableSource } from "./definitionVariables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The state of VS Code that the variables of a profile refer to. `resolveVariables.ts` implements it. */
export interface VariableHost {
  readonly screen: Pick<Screen, "showInputBox" | "showQuickPick" | "translated">;
  /** The path of the profile's folder. */
  readonly folder: string | undefined;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  readonly editor: EditorPlace | undefined;
  /** The installation folder of VS Code (`env.appRoot`). */
  readonly appRoot: string;
  /** Returns the value of a VS Code setting for the profile's folder. */
  readonly setting: (name: string) => unknown;
  readonly extensionFolder: (id: string) => string | undefined;
  readonly tasks: () => Thenable<
    readonly {
      readonly name: string;
      readonly group?: { readonly id: string; readonly isDefault: boolean | undefined } | undefined;
    }[]
  >;
}

/** The active editor. `file`: undefined for a document that is no file. Line and character count from 0. */
interface EditorPlace {
  readonly file: { readonly path: string; readonly folder: string | undefined } | undefined;
  readonly line: number;
  readonly character: number;
  readonly selected: string;
}

/** Returns a source of the variables that VS Code resolves without a command. */
export function variableSource(host: VariableHost, environment: Environment): VariableSource {
  const simple = simpleValues(host, environment);
  return {
    inputs: host.setting("tasks.inputs"),
    environment,
    valueOf: (variable) => valueOf(variable, simple, host),
    ask: (input) => askInput(input, host.screen),
  };
}

async function valueOf(
  { name, argument }: Variable,
  simple: Readonly<Record<string, string>>,
  host: VariableHost,
): Promise<string | undefined> {
  const { setting, extensionFolder, tasks, folders } = host;
  switch (name) {
    case "config":
      return printScalar(setting(argument ?? ""));
    case "extensionInstallFolder":
      return extensionFolder(argument ?? "");
    case "defaultBuildTask":
      return (await tasks()).find(({ group }) => group?.id === "build" && group.isDefault === true)
        ?.name;
    default: {
      if (argument === undefined) return simple[name];
      // `${workspaceFolder:api}` refers to the workspace folder named `api`.
      const folder = folders.find((each) => each.name === argument);
      return folder && simpleValues({ ...host, folder: folder.path }, {})[name];
    }
  }
}

function simpleValues(
  { folder, editor, appRoot }: VariableHost,
  environment: Environment,
): Readonly<Record<string, string>> {
  const file = editor?.file;
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  const separator = separatorOf(folder ?? file?.path ?? appRoot);
  return {
    ...(folder === undefined ? {} : folderValues(folder)),
    ...(file === undefined ? {} : fileValues(file, folder)),
    ...(editor === undefined
      ? {}
      : {
          lineNumber: `${editor.line + 1}`,
          columnNumber: `${editor.character + 1}`,
          selectedText: editor.selected,
        }),
    ...(home === undefined ? {} : { userHome: home }),
    pathSeparator: separator,
    "/": separator,
  };
}

async function askInput(
  input: Input,
  { showInputBox, showQuickPick, translated }: VariableHost["screen"],
): Promise<string | undefined> {
  const prompt = input.description === "" ? input.id : input.description;
  const title = translated(msg`Value of ${`\${input:${input.id}}`}`);
  switch (input.type) {
    case "promptString":
      return showInputBox({
        title,
        prompt,
        ignoreFocusOut: true,
        ...(input.default === undefined ? {} : { value: input.default }),
      });
    case "pickString": {
      const pick = { title, placeHolder: prompt, ignoreFocusOut: true };
      return (await showQuickPick(optionsOf(input), pick))?.value;
    }
    default:
      return undefined;
  }
}
