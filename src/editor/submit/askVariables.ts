import { msg } from "../../base/message.ts";
import type { PastedVariable } from "../../spark/submit/pasted/parsePastedCommand.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { namesSecret } from "../../spark/secretNames.ts";
import type { Screen } from "../screen.ts";
import type { Answer, AskQuestion, Choice } from "./questionPick.ts";

/** The window functions that `askVariables` uses. */
export interface AskWindow {
  readonly screen: Pick<Screen, "showInputBox" | "translated">;
  /** Shows one prompt of a multi-step dialog; undefined if the user cancels. */
  readonly ask: AskQuestion;
}

/**
 * Prompts for the values of a command's variables. Suggests the value from the command first, then the value from the
 * environment. `needed`: the variables that cannot be left empty. Undefined if the user cancels.
 */
export async function askVariables(
  variables: readonly PastedVariable[],
  environment: Readonly<Record<string, string | undefined>>,
  window: AskWindow,
  needed: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<string, string> | undefined> {
  const values = new Map<string, string>();
  for (let at = 0; at < variables.length;) {
    const variable = variables[at];
    if (variable === undefined) break;
    // An empty value is allowed if the command itself has an empty default.
    const isNeeded = needed.has(variable.name) && variable.suggestion !== "";
    const step = { step: at + 1, totalSteps: variables.length, isNeeded };
    const answer = isSecretName(variable.name)
      ? await askSecret(variable, environment[variable.name], window)
      : await askPlain(variable, environment[variable.name], step, window);
    if (answer === undefined) return undefined;
    if (answer.kind === "back") {
      at = Math.max(0, at - 1);
      continue;
    }
    values.set(variable.name, answer.value);
    at += 1;
  }
  return values;
}

export const isSecretName = (name: string): boolean =>
  namesSecret(name, defaultSecretRule) || /key$/i.test(name);

const title = msg("Submit Pasted Command");

const shown = (name: string): string => (name.startsWith("<") ? name : `$${name}`);

interface VariableStep {
  readonly step: number;
  readonly totalSteps: number;
  readonly isNeeded: boolean;
}

function askPlain(
  { name, suggestion }: PastedVariable,
  fromEnvironment: string | undefined,
  { isNeeded, ...step }: VariableStep,
  { ask, screen: { translated } }: AskWindow,
): Promise<Answer | undefined> {
  const choice = (value: string | undefined, description: string): readonly Choice[] =>
    value === undefined || value === "" ? [] : [{ label: value, value, description }];
  const choices = [
    ...choice(suggestion, translated(msg("from the command"))),
    ...(fromEnvironment === suggestion
      ? []
      : choice(fromEnvironment, translated(msg("from the environment")))),
    ...(isNeeded ? [] : [{ label: translated(msg("Leave empty")), value: "" }]),
  ];
  return ask({
    title: translated(title),
    placeholder: translated(msg`Value of ${shown(name)}`),
    choices,
    validate: (text) => (isNeeded && text === "" ? translated(msg("Enter a value")) : undefined),
    ...step,
  });
}

async function askSecret(
  { name, suggestion }: PastedVariable,
  fromEnvironment: string | undefined,
  { screen: { showInputBox, translated } }: AskWindow,
): Promise<Answer | undefined> {
  const value = await showInputBox({
    title: translated(title),
    prompt: translated(msg`Value of ${shown(name)} (not stored)`),
    value: suggestion ?? fromEnvironment ?? "",
    password: true,
    ignoreFocusOut: true,
  });
  return value === undefined ? undefined : { kind: "answer", value };
}
