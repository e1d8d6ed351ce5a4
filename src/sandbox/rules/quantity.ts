import { parseQuantity } from "../../spark/quantity.ts";

const nano = 1_000_000_000n;
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** Returns the canonical form of a quantity, as the API server writes it; undefined if the text is not a quantity. */
export function canonical(text: string): string | undefined {
  if (parseQuantity(text) === undefined) return undefined;
  // Unlike the API server, do not normalize exponents, which clients rarely use.
  if (/[eE][+-]?\d+$/.test(text)) return text;
  const [, sign = "", whole = "", part = "", suffix = ""] =
    /^([+-]?)(\d*)\.?(\d*?)([numkMGTPE]|[KMGTPE]i)?$/.exec(text) ?? [];
  const digits = BigInt(whole + part.padEnd(9, "0").slice(0, 9) || "0");
  const isBinary = suffix.endsWith("i");
  const scaled = isBinary
    ? digits * 1024n ** BigInt(binary.indexOf(suffix) + 1)
    : (digits * 10n ** BigInt(3 * decimal.indexOf(suffix))) / nano;
  const minus = sign === "-" && digits > 0n ? "-" : "";
  if (scaled === 0n) return "0";
  if (isBinary) return minus + largest(scaled / nano, 1024n, ["", ...binary]);
  return minus + largest(scaled, 1000n, decimal);
}

function largest(amount: bigint, step: bigint, units: readonly string[]): string {
  let [rest, unit] = [amount, 0];
  while (rest % step === 0n && unit < units.length - 1) {
    rest /= step;
    unit += 1;
  }
  return `${rest}${units[unit] ?? ""}`;
}
