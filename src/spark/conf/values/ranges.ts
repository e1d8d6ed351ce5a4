import type { Range } from "./valueType.ts";

/** Whether a number lies in the interval; NaN lies in none. */
export function isWithin(value: number | bigint, range: Range): boolean {
  if (Number.isNaN(value)) return false;
  const { min, max } = range;
  if (min !== undefined && (range.minExcluded ? value <= min : value < min)) return false;
  if (max !== undefined && (range.maxExcluded ? value >= max : value > max)) return false;
  if (range.holes.some((hole) => Number(value) === hole)) return false;
  return range.step === undefined || typeof value === "number" || value % BigInt(range.step) === 0n;
}
