import { toChoice, type SeverityChoices } from "../../spark/conf/parse/directives.ts";

/** Decodes the setting `conf.rules`, an object that maps codes of rules to severities. Ignores invalid entries. */
export function severityChoices(setting: unknown): SeverityChoices {
  const pairs = typeof setting === "object" && setting !== null ? Object.entries(setting) : [];
  return new Map(
    pairs.flatMap(([code, level]): readonly (readonly [string, Choice])[] => {
      const choice = typeof level === "string" ? toChoice(level) : undefined;
      return choice === undefined ? [] : [[code, choice]];
    }),
  );
}

type Choice = NonNullable<ReturnType<typeof toChoice>>;
