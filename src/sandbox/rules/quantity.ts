const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A resource quantity as a number; undefined when it is none. */
export function quantity(text: string): number | undefined {
  const exponent = /^([+-]?(?:\d+\.?\d*|\.\d+))[eE]([+-]?\d+)$/.exec(text);
  if (exponent !== null) return Number(text);
  const [, digits, suffix = ""] =
    /^([+-]?(?:\d+\.?\d*|\.\d+))([numkMGTPE]|[KMGTPE]i)?$/.exec(text) ?? [];
  const unit = suffixes[suffix];
  return digits === undefined || unit === undefined ? undefined : Number(digits) * unit;
}

const nano = 1_000_000_000n;
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** The one way in which the API server writes an amount; undefined when it is none. */
export function canonical(text: string): string | undefined {
  if (quantity(text) === undefined) return undefined;
  // Written with an exponent, it stays so.
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
