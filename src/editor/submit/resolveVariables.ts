import { isRecord } from "../../base/json.ts";
import { env, extensions, l10n, tasks, workspace, type Uri } from "vscode";
import {
  fileValues,
  fillVariables,
  folderValues,
  separatorOf,
  variablesIn,
  type Variable,
} from "../../spark/submit/profile/variables.ts";
import { problems } from "../../spark/submit/plan/problems.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { namesSecret } from "../../spark/secretNames.ts";
import { window } from "../ui/window.ts";

export interface ResolvedDefinition {
  readonly definition: unknown;
  readonly findings: readonly SubmissionFinding[];
  /** The user's answers, by variable; none is a password. */
  readonly answers: ReadonlyMap<string, string>;
  /** Unresolved variables, whose value comes from a command. */
  readonly deferred: readonly string[];
  /** Placeholders for passwords, and values of variables whose names look secret. */
  readonly secrets: readonly string[];
}

/**
 * Resolves the variables of a definition for a preview or check. Runs no command and asks for no password, since
 * the workspace chooses both. Asks for other inputs; undefined if the user cancels. Unknown variables stay.
 */
export async function resolveVariables(
  definition: unknown,
  folder: Uri | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ResolvedDefinition | undefined> {
  const values = new Map<string, string>();
  const findings: SubmissionFinding[] = [];
  const secrets: string[] = [];
  const deferred: string[] = [];
  const answers = new Map<string, string>();
  const simple = simpleValues(folder, environment);
  for (const variable of variablesIn(definition)) {
    if (variable.name === "command") {
      deferred.push(variable.written);
      continue;
    }
    if (variable.name === "input") {
      const input = inputsOf(folder).find(({ id }) => id === variable.argument);
      if (input === undefined) continue;
      if (input.password) {
        const placeholder = `hidden-input-${secrets.length + 1}`;
        values.set(variable.written, placeholder);
        secrets.push(placeholder);
        continue;
      }
      if (!askedInputs.includes(input.type)) {
        deferred.push(variable.written);
        continue;
      }
      const answer = await askInput(input);
      if (answer === undefined) return undefined;
      values.set(variable.written, answer);
      answers.set(variable.written, answer);
      continue;
    }
    if (variable.name === "env") {
      const value = environment[variable.argument ?? ""];
      if (value === undefined) findings.push(problems.emptyVariable(variable.written));
      values.set(variable.written, value ?? "");
      if (isNamedAsSecret(variable)) secrets.push(value ?? "");
      continue;
    }
    const value = await valueOf(variable, simple, folder);
    if (value !== undefined) values.set(variable.written, value);
    if (isNamedAsSecret(variable)) secrets.push(value ?? "");
  }
  return {
    definition: fillVariables(definition, values),
    findings,
    answers,
    deferred,
    secrets: secrets.filter((secret) => secret !== ""),
  };
}

/** Returns a test for variables that are password inputs or have secret-looking names. */
export function secretVariables(folder: Uri | undefined): (variable: Variable) => boolean {
  const ids = inputsOf(folder)
    .filter(({ password }) => password)
    .map(({ id }) => id);
  return (variable) =>
    variable.name === "input" ? ids.includes(variable.argument ?? "") : isNamedAsSecret(variable);
}

/** `${env:DB_PASSWORD}` */
const isNamedAsSecret = ({ name, argument }: Variable): boolean =>
  (name === "env" || name === "config" || name === "command") &&
  argument !== undefined &&
  namesSecret(argument, defaultSecretRule);

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

// ---- Inputs ------------------------------------------------------------------------------------

interface Input {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly default: string | undefined;
  readonly password: boolean;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** Input types that ask the user; the others run a command. */
const askedInputs: readonly string[] = ["promptString", "pickString"];

function inputsOf(folder: Uri | undefined): readonly Input[] {
  const inputs: unknown = workspace.getConfiguration("tasks", folder).get("inputs");
  return (Array.isArray(inputs) ? inputs : []).filter(isRecord).map((input) => ({
    id: textOf(input["id"]) ?? "",
    type: textOf(input["type"]) ?? "",
    description: textOf(input["description"]) ?? "",
    default: textOf(input["default"]),
    password: input["password"] === true,
    options: (Array.isArray(input["options"]) ? input["options"] : []).flatMap(optionOf),
  }));
}

function optionOf(option: unknown): Input["options"] {
  if (!isRecord(option)) {
    const text = textOf(option);
    return text === undefined ? [] : [{ label: text, value: text }];
  }
  const value = textOf(option["value"]) ?? "";
  return [{ label: textOf(option["label"]) ?? value, value }];
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
      const isDefault = ({ value }: { readonly value: string }): boolean => value === input.default;
      const options = [
        ...input.options.filter(isDefault),
        ...input.options.filter((option) => !isDefault(option)),
      ];
      const pick = { title, placeHolder: prompt, ignoreFocusOut: true };
      return (await window.showQuickPick(options, pick))?.value;
    }
    default:
      return undefined;
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? `${value}`
    : undefined;
