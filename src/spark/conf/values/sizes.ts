import type { ByteUnit } from "../catalogue/catalogueFormat.ts";
import { isFrom, type SparkVersion } from "../catalogue/sparkVersions.ts";
import { afterDigits, isLowerWord, javaTrim } from "./javaText.ts";
import { fitsLong, wholeNumber } from "./numbers.ts";
import type { SizeFault } from "./valueProblem.ts";

const powers: Readonly<Record<ByteUnit, number>> = { BYTE: 0, KiB: 1, MiB: 2 };
const letters = "bkmgtp";

/**
 * Parses a size as Spark does. Returns it in the entry's unit, or in the given power of 1024. A minus is valid only as
 * the first character. `Gi` and similar units are valid from 4.2 on. Sizes above the largest long are rejected.
 */
export function readSize(
  text: string,
  unit: ByteUnit | number,
  version: SparkVersion,
): { readonly value: bigint } | { readonly fault: SizeFault } {
  const negative = text.startsWith("-");
  const size = javaTrim(negative ? text.slice(1) : text).toLowerCase();
  const end = afterDigits(size, 0);
  if (end === 0 || !isLowerWord(size, end)) return { fault: faultOf(size, end) };
  const suffix = size.slice(end);
  const own = typeof unit === "number" ? unit : powers[unit];
  const power = suffix === "" ? own : powerOf(suffix);
  if (power === undefined) return { fault: "unit" };
  if (suffix.includes("i") && !isFrom(version, "4.2")) return { fault: "binaryUnit" };
  const number = wholeNumber(size.slice(0, end));
  if (number === undefined || !fitsLong(number)) return { fault: "tooLarge" };
  const steps = power - own;
  // Spark divides the largest long by the factor and compares before it multiplies; the result is the same.
  const value = steps >= 0 ? number << BigInt(10 * steps) : number >> BigInt(-10 * steps);
  return fitsLong(value) ? { value: negative ? -value : value } : { fault: "tooLarge" };
}

function powerOf(suffix: string): number | undefined {
  const power = letters.indexOf(suffix.charAt(0));
  const rest = suffix.slice(1);
  if (rest === "" || (power > 0 && (rest === "b" || rest === "i" || rest === "ib")))
    return power < 0 ? undefined : power;
  return undefined;
}

function faultOf(size: string, end: number): SizeFault {
  const next = size[end];
  if (next === "." && (end > 0 || afterDigits(size, 1) > 1)) return "fraction";
  if (end > 0 && next === " ") return "space";
  return "syntax";
}
