import { afterDigits, digitValue } from "./javaText.ts";

const longMax = (1n << 63n) - 1n;
const longMin = -(1n << 63n);

/** A parsed number, or the reason why the text is rejected. */
export type Parsed<T> = { readonly value: T } | { readonly fault: "syntax" | "tooLarge" };

export const fitsLong = (value: bigint): boolean => value >= longMin && value <= longMax;

/**
 * Parses ASCII digits. Undefined for more than 25 digits, not counting leading zeros. The result may exceed the range
 * of a Java long.
 */
export function wholeNumber(digits: string): bigint | undefined {
  let start = 0;
  while (start < digits.length - 1 && digits[start] === "0") start++;
  return digits.length - start > 25 ? undefined : BigInt(digits.slice(start));
}

/** Parses as Java's `parseInt` and `parseLong` do: a sign and digits of any script. */
export function parseInteger(text: string, type: "int" | "long"): Parsed<bigint> {
  const negative = text.startsWith("-");
  let start = negative || text.startsWith("+") ? 1 : 0;
  if (start === text.length) return { fault: "syntax" };
  while (start < text.length - 1 && text[start] === "0") start++;
  let digits = "";
  let count = 0;
  for (let index = start; index < text.length; index++) {
    const digit = digitValue(text, index);
    if (digit === undefined) return { fault: "syntax" };
    // Checks the digits after the first 25, but does not convert them, because 25 digits exceed any long.
    if (count++ < 25) digits += String(digit);
  }
  const value = negative ? -BigInt(digits) : BigInt(digits);
  const fits = type === "int" ? BigInt.asIntN(32, value) === value : fitsLong(value);
  return fits && count < 25 ? { value } : { fault: "tooLarge" };
}

/**
 * Parses as Java's `parseDouble` does: fractions, exponents, the suffix `f` or `d`, hexadecimal with a binary exponent,
 * `NaN` and `Infinity`. Undefined if Java rejects the text.
 */
export function parseDouble(text: string): number | undefined {
  const start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
  const sign = text.startsWith("-") ? -1 : 1;
  const rest = text.slice(start);
  if (rest === "NaN") return Number.NaN;
  if (rest === "Infinity") return sign * Infinity;
  const size = /^0x/i.test(rest) ? hexDouble(rest) : decimalDouble(rest);
  return size === undefined ? undefined : sign * size;
}

function decimalDouble(text: string): number | undefined {
  const last = text.slice(-1);
  const body = /^[fFdD]$/.test(last) ? text.slice(0, -1) : text;
  return isPlainDecimal(body) ? Number(body) : undefined;
}

/** True for digits with at most one decimal point, then an optional exponent. */
function isPlainDecimal(text: string): boolean {
  let end = afterDigits(text, 0);
  let digits = end;
  if (text[end] === ".") {
    const fraction = afterDigits(text, end + 1);
    digits += fraction - end - 1;
    end = fraction;
  }
  if (digits === 0) return false;
  if (text[end] === "e" || text[end] === "E") {
    const from = text[end + 1] === "-" || text[end + 1] === "+" ? end + 2 : end + 1;
    const after = afterDigits(text, from);
    if (after === from) return false;
    end = after;
  }
  return end === text.length;
}

function hexDouble(text: string): number | undefined {
  const last = text.slice(-1);
  const body = /^[fFdD]$/.test(last) ? text.slice(2, -1) : text.slice(2);
  const power = body.search(/[pP]/);
  if (power < 0) return undefined;
  const exponent = body.slice(power + 1);
  const signed = exponent.startsWith("-") || exponent.startsWith("+") ? 1 : 0;
  if (exponent.length === signed || afterDigits(exponent, signed) < exponent.length) {
    return undefined;
  }
  const [whole = "", fraction = "", ...more] = body.slice(0, power).split(".");
  if (more.length > 0 || whole + fraction === "") return undefined;
  if (!/^[0-9a-fA-F]*$/.test(whole + fraction)) return undefined;
  return Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length);
}

/**
 * Returns a decimal number and its number of decimal places, without trailing zeros; undefined if Java's `BigDecimal`
 * rejects the text.
 */
export function parseDecimal(
  text: string,
): { readonly value: number; readonly places: number } | undefined {
  const ascii = withAsciiDigits(text);
  const unsigned = ascii.startsWith("-") || ascii.startsWith("+") ? ascii.slice(1) : ascii;
  if (!isPlainDecimal(unsigned)) return undefined;
  const [digits = "", exponent = "0"] = unsigned.split(/[eE]/);
  const point = digits.indexOf(".");
  const fraction = point < 0 ? "" : digits.slice(point + 1);
  let zeros = 0;
  while (zeros < fraction.length && fraction[fraction.length - 1 - zeros] === "0") zeros++;
  return { value: Number(ascii), places: fraction.length - zeros - Number(exponent) };
}

// Replaces digits of any script with ASCII digits.
const withAsciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) =>
    digit.length === 1 ? String(digitValue(digit, 0) ?? digit) : digit,
  );
