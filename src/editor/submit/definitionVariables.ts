import { isRecord } from "../../base/json.ts";
import { fillVariables, variablesIn, type Variable } from "../../spark/submit/profile/variables.ts";
import { problems } from "../../spark/submit/plan/problems.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { namesSecret } from "../../spark/secretNames.ts";

export interface VariableSource {
  /** The setting `tasks.inputs`. */
  readonly inputs: unknown;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns the value of a variable; undefined if the variable is unknown. */
  readonly valueOf: (variable: Variable) => Promise<string | undefined>;
  /** Prompts for the value of an input; undefined if the user cancels. */
  readonly ask: (input: Input) => Promise<string | undefined>;
}

export interface ResolvedDefinition {
  readonly definition: unknown;
  readonly findings: readonly SubmissionFinding[];
  /** The user's answers by variable, such as `${input:date}`. Contains no passwords. */
  readonly answers: ReadonlyMap<string, string>;
  /** Variables that stay unresolved, because VS Code gets their values from a command. */
  readonly deferred: readonly string[];
  /** The placeholders for passwords, and the values of variables whose names look secret. */
  readonly secrets: readonly string[];
}

/**
 * Resolves the variables of a definition for a preview or check. Runs no commands and prompts for no passwords, because
 * the workspace, which may be hostile, defines both. Prompts for other inputs; undefined if the user cancels. Unknown
 * variables stay unresolved.
 */
export async function resolvedDefinition(
  definition: unknown,
  { inputs, environment, valueOf, ask }: VariableSource,
): Promise<ResolvedDefinition | undefined> {
  const values = new Map<string, string>();
  const findings: SubmissionFinding[] = [];
  const secrets: string[] = [];
  const deferred: string[] = [];
  const answers = new Map<string, string>();
  for (const variable of variablesIn(definition)) {
    if (variable.name === "command") {
      deferred.push(variable.written);
      continue;
    }
    if (variable.name === "input") {
      const input = inputsIn(inputs).find(({ id }) => id === variable.argument);
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
      const answer = await ask(input);
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
    const value = await valueOf(variable);
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
export function secretVariablesIn(inputs: unknown): (variable: Variable) => boolean {
  const ids = inputsIn(inputs)
    .filter(({ password }) => password)
    .map(({ id }) => id);
  return (variable) =>
    variable.name === "input" ? ids.includes(variable.argument ?? "") : isNamedAsSecret(variable);
}

/** True for variables such as `${env:DB_PASSWORD}`. */
const isNamedAsSecret = ({ name, argument }: Variable): boolean =>
  (name === "env" || name === "config" || name === "command") &&
  argument !== undefined &&
  namesSecret(argument, defaultSecretRule);

export interface Input {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly default: string | undefined;
  readonly password: boolean;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** Input types that prompt the user; the others run a command. */
const askedInputs: readonly string[] = ["promptString", "pickString"];

function inputsIn(inputs: unknown): readonly Input[] {
  return (Array.isArray(inputs) ? inputs : []).filter(isRecord).map((input) => ({
    id: printScalar(input["id"]) ?? "",
    type: printScalar(input["type"]) ?? "",
    description: printScalar(input["description"]) ?? "",
    default: printScalar(input["default"]),
    password: input["password"] === true,
    options: (Array.isArray(input["options"]) ? input["options"] : []).flatMap(optionOf),
  }));
}

function optionOf(option: unknown): Input["options"] {
  if (!isRecord(option)) {
    const text = printScalar(option);
    return text === undefined ? [] : [{ label: text, value: text }];
  }
  const value = printScalar(option["value"]) ?? "";
  return [{ label: printScalar(option["label"]) ?? value, value }];
}

/** Returns the choices of an input, the default first. */
export const optionsOf = (input: Pick<Input, "default" | "options">): Input["options"] => {
  const isDefault = ({ value }: { readonly value: string }): boolean => value === input.default;
  return [
    ...input.options.filter(isDefault),
    ...input.options.filter((option) => !isDefault(option)),
  ];
};

export const printScalar = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? `${value}`
    : undefined;
