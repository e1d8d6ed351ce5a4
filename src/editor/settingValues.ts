/** Returns the non-empty texts of a list; empty for a value that is no list. */
export const stringsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string" && one !== "")
    : [];

/** Returns a trimmed text; undefined for a blank text and other types. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

export const numberOr = (value: unknown, least: number, otherwise: number): number =>
  typeof value === "number" && value >= least ? value : otherwise;

/** Decodes the additional contexts to watch, with their namespaces. Invalid values give none. */
export function furtherIn(value: unknown): Readonly<Record<string, readonly string[]>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([context]) => context !== "")
      .map(([context, namespaces]) => [context, stringsIn(namespaces)]),
  );
}

const maxKeptLogs = 2_000;

interface KeptLimits {
  readonly bytes: number;
  readonly ageMs: number;
  readonly logs: number;
}

/** Returns the limits of saved logs: 500 MB and 14 days, unless a setting has a positive number. */
export function keptLimits(megabytes: unknown, days: unknown): KeptLimits {
  const positive = (value: unknown, otherwise: number): number =>
    typeof value === "number" && value > 0 ? value : otherwise;
  return {
    bytes: positive(megabytes, 500) * 2 ** 20,
    ageMs: positive(days, 14) * 86_400_000,
    logs: maxKeptLogs,
  };
}

/** Returns which logs are saved. An unknown value saves both: logs of followed applications and of failed pods. */
export const logsToKeep = (
  value: unknown,
): { readonly followed: boolean; readonly failed: boolean } => ({
  followed: value !== "never",
  failed: value !== "never" && value !== "followed",
});

/** Returns the address of a history server; undefined for another text. */
export function httpAddressIn(value: unknown): string | undefined {
  const text = textIn(value);
  return text !== undefined && /^https?:\/\/[^/\s]/i.test(text) ? text : undefined;
}

/** Returns the maximum number of rows of a result: 1 to 10,000, by default 1,000. */
export const rowsIn = (value: unknown): number =>
  Math.min(Math.round(numberOr(value, 1, 1_000)), 10_000);
