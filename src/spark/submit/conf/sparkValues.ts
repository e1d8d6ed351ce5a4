import { parseDouble } from "../../conf/values/numbers.ts";
import { javaTrim } from "../../conf/values/javaText.ts";

const sizeUnits: readonly (readonly [RegExp, number])[] = [
  [/^b$/, 0],
  [/^kb?$/, 1],
  [/^mb?$/, 2],
  [/^gb?$/, 3],
  [/^tb?$/, 4],
  [/^pb?$/, 5],
];
const iecUnits: readonly (readonly [RegExp, number])[] = [
  [/^kib?$/, 1],
  [/^mib?$/, 2],
  [/^gib?$/, 3],
  [/^tib?$/, 4],
  [/^pib?$/, 5],
];
const timeUnits: ReadonlyMap<string, number> = new Map([
  ["us", 0.001],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["min", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

const maxLong = 2n ** 63n - 1n;

/**
 * Parses a size such as `512m` into whole units of `bareUnit` bytes. A number without a unit is in these units.
 * Undefined if the text is not a size or exceeds Java's long.
 */
export function parseSize(
  text: string,
  bareUnit: number,
  hasIecSizes: boolean,
): bigint | undefined {
  const [, digits, suffix = ""] = /^([0-9]+)([a-z]*)$/.exec(javaTrim(text.toLowerCase())) ?? [];
  if (digits === undefined || BigInt(digits) > maxLong) return undefined;
  const units = hasIecSizes ? [...sizeUnits, ...iecUnits] : sizeUnits;
  const power = units.find(([pattern]) => pattern.test(suffix))?.[1];
  if (suffix === "") return BigInt(digits);
  if (power === undefined) return undefined;
  const size = (BigInt(digits) * 1024n ** BigInt(power)) / BigInt(bareUnit);
  return size > maxLong ? undefined : size;
}

/**
 * Returns a time such as `10s` in milliseconds, truncated. A number without a unit is in units of `bareUnit`
 * milliseconds. Undefined if the text is not a time.
 */
export function parseTime(text: string, bareUnit: number): number | undefined {
  const [, digits, suffix = ""] = /^(-?[0-9]+)([a-z]*)$/.exec(javaTrim(text.toLowerCase())) ?? [];
  if (digits === undefined) return undefined;
  const unit = suffix === "" ? bareUnit : timeUnits.get(suffix);
  return unit === undefined ? undefined : Math.trunc(Number(digits) * unit);
}

/** Parses a 32-bit integer in Java's format: a sign and digits, no whitespace. Undefined for other texts. */
export function parseJavaInt(text: string): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31 ? value : undefined;
}

/** Converts a number to a 32-bit integer like Java's cast: truncates and clamps; NaN gives 0. */
export function toJavaInt(value: number): number {
  return Number.isNaN(value) ? 0 : Math.trunc(Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1));
}

/** Parses like Java's `parseDouble`, which ignores surrounding whitespace. */
export const parseJavaDouble = (text: string): number | undefined => parseDouble(javaTrim(text));

/** Parses `true` or `false` in any case, without whitespace. Undefined for other texts. */
export function parseJavaBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === "true" ? true : lower === "false" ? false : undefined;
}

/** True if Spark's client library accepts the text as a quantity. The library hardly checks the unit. */
export function isQuantity(text: string): boolean {
  const [amount = ""] = /^[^eEinumkKMGTP]*/.exec(text) ?? [];
  const unit = text.slice(amount.length);
  return amount !== "" && !(/[0-9]/.test(unit) && /\p{L}$/u.test(unit));
}
