// Java text functions that differ from JavaScript's.

/** Prints a number like `Double.toString`: `1.0`, `0.001`, `1.0E-4`, `1.0E7`. */
export function javaDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : `${value}`;
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : `${value}`;
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  return `${digits.includes(".") ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/** Splits like Java's `String.split`: drops empty parts at the end. */
export function javaSplit(text: string, separator: string): readonly string[] {
  const parts = text.split(separator);
  if (text === "") return parts;
  while (parts.at(-1) === "") parts.pop();
  return parts;
}
