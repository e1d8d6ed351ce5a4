import type { Range } from "./valueType.ts";

/** True if the number is in the interval; NaN is in none. */
export function isWithin(value: number | bigint, range: Range): boolean {
  if (Number.isNaN(value)) return false;
  const { min, max } = range;
  if (min !== undefined && (range.minExcluded ? value <= min : value < min)) return false;
  if (max !== undefined && (range.maxExcluded ? value >= max : value > max)) return false;
  if (range.holes.some((hole) => Number(value) === hole)) return false;
  return range.step === undefined || typeof value === "number" || value % BigInt(range.step) === 0n;
}
