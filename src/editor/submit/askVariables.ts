import { l10n } from "vscode";
import type { PastedVariable } from "../../spark/submit/pasted/parsePastedCommand.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { namesSecret } from "../../spark/secretNames.ts";
import { askSteps, type Choice } from "./multiStep.ts";
import { window } from "../ui/window.ts";

/**
 * Asks for the values of a command's variables. Suggests the value from the text first, then the one from the
 * environment. Undefined if the user cancels.
 */
export async function askVariables(
  variables: readonly PastedVariable[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const values = new Map<string, string>();
  for (let at = 0; at < variables.length;) {
    const variable = variables[at];
    if (variable === undefined) break;
    const step = { step: at + 1, totalSteps: variables.length };
    const answer = isSecretName(variable.name)
      ? await askSecret(variable, environment[variable.name])
      : await askPlain(variable, environment[variable.name], step);
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

const isSecretName = (name: string): boolean =>
  namesSecret(name, defaultSecretRule) || /key$/i.test(name);

const title = (): string => l10n.t("Submit Pasted Command");

const shown = (name: string): string => (name.startsWith("<") ? name : `$${name}`);

function askPlain(
  { name, suggestion }: PastedVariable,
  fromEnvironment: string | undefined,
  step: { readonly step: number; readonly totalSteps: number },
): ReturnType<typeof askSteps> {
  const choice = (value: string | undefined, description: string): readonly Choice[] =>
    value === undefined || value === "" ? [] : [{ label: value, value, description }];
  const choices = [
    ...choice(suggestion, l10n.t("from the command")),
    ...(fromEnvironment === suggestion
      ? []
      : choice(fromEnvironment, l10n.t("from the environment"))),
    { label: l10n.t("Leave empty"), value: "" },
  ];
  return askSteps({
    title: title(),
    placeholder: l10n.t("Value of {0}", shown(name)),
    choices,
    validate: () => undefined,
    ...step,
  });
}

async function askSecret(
  { name, suggestion }: PastedVariable,
  fromEnvironment: string | undefined,
): ReturnType<typeof askSteps> {
  const value = await window.showInputBox({
    title: title(),
    prompt: l10n.t("Value of {0} (not stored)", shown(name)),
    value: suggestion ?? fromEnvironment ?? "",
    password: true,
    ignoreFocusOut: true,
  });
  return value === undefined ? undefined : { kind: "answer", value };
}
