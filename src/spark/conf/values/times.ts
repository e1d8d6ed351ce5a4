import type { TimeUnit } from "../catalogue/catalogueFormat.ts";
import { afterDigits, isLowerWord, javaTrim } from "./javaText.ts";
import { fitsLong, wholeNumber } from "./numbers.ts";
import type { TimeFault } from "./valueProblem.ts";

const suffixes: ReadonlyMap<string, bigint> = new Map([
  ["us", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["min", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
  ["d", 86_400_000_000_000n],
]);
const units: Readonly<Record<TimeUnit, bigint>> = {
  nanoseconds: 1n,
  milliseconds: 1_000_000n,
  seconds: 1_000_000_000n,
  minutes: 60_000_000_000n,
};
const longMax = (1n << 63n) - 1n;
const longMin = -(1n << 63n);

/**
 * Parses a time as Spark does. Returns it in the entry's unit, or in a unit of the given number of nanoseconds.
 * Truncates the value toward zero, and clamps it to the range of a long. Rejects a written number outside of that
 * range.
 */
export function readTime(
  text: string,
  unit: TimeUnit | bigint,
): { readonly value: bigint } | { readonly fault: TimeFault } {
  const time = javaTrim(text).toLowerCase();
  const start = time.startsWith("-") ? 1 : 0;
  const end = afterDigits(time, start);
  if (end === start || !isLowerWord(time, end)) return { fault: faultOf(time, start, end) };
  const suffix = time.slice(end);
  const to = typeof unit === "bigint" ? unit : units[unit];
  const from = suffix === "" ? to : suffixes.get(suffix);
  if (from === undefined) return { fault: "unit" };
  const size = wholeNumber(time.slice(start, end));
  const number = start > 0 && size !== undefined ? -size : size;
  if (number === undefined || !fitsLong(number)) return { fault: "tooLarge" };
  const value = (number * from) / to;
  return { value: value > longMax ? longMax : value < longMin ? longMin : value };
}

function faultOf(time: string, start: number, end: number): TimeFault {
  const next = time[end];
  if (next === "." && (end > start || afterDigits(time, end + 1) > end + 1)) return "fraction";
  if (end > start && next === " ") return "space";
  return "syntax";
}
