/** Invalid values of settings mean their defaults. */
export const stringsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string" && one !== "")
    : [];

/** Undefined for an empty or blank text. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

export const numberIn = (value: unknown, least: number, otherwise: number): number =>
  typeof value === "number" && value >= least ? value : otherwise;

/** The additional contexts to watch, with their namespaces. */
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

/** The limits of saved logs: 500 MB and 14 days, unless a setting has a positive number. */
export function keptLimits(megabytes: unknown, days: unknown): KeptLimits {
  const positive = (value: unknown, otherwise: number): number =>
    typeof value === "number" && value > 0 ? value : otherwise;
  return {
    bytes: positive(megabytes, 500) * 2 ** 20,
    ageMs: positive(days, 14) * 86_400_000,
    logs: maxKeptLogs,
  };
}

/** Which logs are saved. An unknown value saves both kinds: those of followed applications and of failed pods. */
export const logsToKeep = (
  value: unknown,
): { readonly followed: boolean; readonly failed: boolean } => ({
  followed: value !== "never",
  failed: value !== "never" && value !== "followed",
});

/** The address of a history server; undefined for another text. */
export function httpAddressIn(value: unknown): string | undefined {
  const text = textIn(value);
  return text !== undefined && /^https?:\/\/[^/\s]/i.test(text) ? text : undefined;
}

/** The most rows of a result. */
export const rowsIn = (value: unknown): number =>
  Math.min(Math.round(numberIn(value, 1, 1_000)), 10_000);
