import { isRecord } from "../../../base/json.ts";
import { numberedMask, secretRule, defaultSecretPattern } from "../../redact.ts";
import { redactLine } from "../../redactLine.ts";
import { redactArguments, redactValue } from "../../redactText.ts";

/** A run profile or a string in which numbered placeholders replace the secrets. */
export interface WithoutSecrets<T> {
  readonly value: T;
  /** The secrets by number: the first has number 1. */
  readonly secrets: readonly string[];
}

/**
 * Replaces the secrets with numbered placeholders in a definition that is stored or shared. Keeps variables, because
 * each run fills them in. `putBackSecrets` is the inverse.
 */
export function takeOutSecrets(definition: unknown): WithoutSecrets<unknown> {
  const secrets: string[] = [];
  const isSecret = secretRule(redactionPatternOf(definition), defaultSecretPattern);
  const mask = numberedMask(secrets);
  const take = (value: unknown, key: string, isConf: boolean): unknown => {
    if (typeof value === "string") {
      return isConf ? redactValue(key, value, isSecret, mask) : redactLine(value, isSecret, mask);
    }
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      return items.every((item) => typeof item === "string")
        ? redactArguments(items, isSecret, mask)
        : items.map((item) => take(item, "", false));
    }
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, take(member, name, key === "conf")]),
    );
  };
  return { value: take(definition, "", false), secrets };
}

/** Like `takeOutSecrets`, for a single string, such as an entered value that a later prompt suggests. */
export function takeOutOfText(text: string): WithoutSecrets<string> {
  const secrets: string[] = [];
  const isSecret = secretRule(undefined, defaultSecretPattern);
  return { value: redactLine(text, isSecret, numberedMask(secrets)), secrets };
}

/** Replaces the placeholders with their secrets. Keeps placeholders without a secret. */
export function putBackSecrets(definition: unknown, secrets: readonly string[]): unknown {
  if (typeof definition === "string") return putBackInText(definition, secrets);
  if (Array.isArray(definition)) {
    return definition.map((item: unknown) => putBackSecrets(item, secrets));
  }
  if (!isRecord(definition)) return definition;
  return Object.fromEntries(
    Object.entries(definition).map(([key, member]) => [key, putBackSecrets(member, secrets)]),
  );
}

export function putBackInText(text: string, secrets: readonly string[]): string {
  let [before, filled] = ["", text];
  // Repeats the replacement, because a secret may itself contain a placeholder.
  for (let round = 0; filled !== before && round <= secrets.length; round += 1) {
    before = filled;
    filled = filled.replace(numbered, (all, number) => secrets[Number(number) - 1] ?? all);
  }
  return filled;
}

/** Returns the numbers of the placeholders in a definition, each with words that describe its first use to the user. */
export function missingSecrets(definition: unknown): ReadonlyMap<number, string> {
  const missing = new Map<number, string>();
  const visit = (value: unknown, key: string): void => {
    if (typeof value === "string") {
      for (const [, number = ""] of value.matchAll(numbered)) {
        if (!missing.has(Number(number))) missing.set(Number(number), wordsFor(key, value));
      }
      return;
    }
    if (Array.isArray(value)) {
      value.forEach((item: unknown, index) => {
        const before: unknown = value[index - 1];
        visit(item, typeof before === "string" && isBareOption.test(before) ? before : "");
      });
    } else if (isRecord(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, name);
    }
  };
  visit(definition, "");
  return missing;
}

// Matches an option whose value may be the next argument.
const isBareOption = /^-[^=]*$/;

// Names a missing secret for the user: `--password`, or `--dsn=postgres://u:…@h`.
const wordsFor = (key: string, text: string): string => {
  const shown = text.replaceAll(numbered, "…");
  if (key === "" || key === "arguments") return shown;
  return shown === "…" ? key : `${key} ${shown}`;
};

// Matches the output of `numberedMask`.
const numbered = /\*{9}\(redacted\)#(\d{1,4})/g;

function redactionPatternOf(definition: unknown): string | undefined {
  const conf = isRecord(definition) ? definition["conf"] : undefined;
  const pattern = isRecord(conf) ? conf["spark.redaction.regex"] : undefined;
  return typeof pattern === "string" ? pattern : undefined;
}
