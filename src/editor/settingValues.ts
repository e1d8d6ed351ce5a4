/** Returns the non-empty strings of an array; an empty array for any other value. */
export const stringsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string" && one !== "")
    : [];

/** Returns the trimmed string; undefined for a blank string and for other types. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

export const numberOr = (value: unknown, least: number, otherwise: number): number =>
  typeof value === "number" && value >= least ? value : otherwise;

/** Decodes the additional contexts to watch, with their namespaces. Returns an empty object for an invalid value. */
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

/** Returns the limits of saved logs. A value that is not a positive number gives the default: 500 MB, 14 days. */
export function keptLimits(megabytes: unknown, days: unknown): KeptLimits {
  const positive = (value: unknown, otherwise: number): number =>
    typeof value === "number" && value > 0 ? value : otherwise;
  return {
    bytes: positive(megabytes, 500) * 2 ** 20,
    ageMs: positive(days, 14) * 86_400_000,
    logs: maxKeptLogs,
  };
}

/** Returns which logs to save. An unknown value saves both: logs of followed applications and of failed pods. */
export const logsToKeep = (
  value: unknown,
): { readonly followed: boolean; readonly failed: boolean } => ({
  followed: value !== "never",
  failed: value !== "never" && value !== "followed",
});

/** Returns the HTTP or HTTPS URL of a history server; undefined for any other value. */
export function httpAddressIn(value: unknown): string | undefined {
  const text = textIn(value);
  return text !== undefined && /^https?:\/\/[^/\s]/i.test(text) ? text : undefined;
}

/** Returns the maximum number of rows of a result: 1 to 10,000, by default 1,000. */
export const rowsIn = (value: unknown): number =>
  Math.min(Math.round(numberOr(value, 1, 1_000)), 10_000);
