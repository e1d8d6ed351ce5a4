import { toChoice, type SeverityChoices } from "../../spark/conf/directives.ts";

/** What the setting says: an object of codes and severities. Whatever else stands there says nothing. */
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
