const suffixes: Readonly<Record<string, number>> = {
  "": 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
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

/**
 * Parses a Kubernetes quantity to a number in its base unit: `500m`, `1.5`, `1408Mi`, `2e3`. Undefined for any other
 * text.
 */
export function parseQuantity(text: string): number | undefined {
  // The pattern matches each digit in only one way, so that it takes linear time: a pod may contain any text.
  const [, digits, exponent, suffix = ""] =
    /^([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?:([eE][+-]?[0-9]+)|([numkMGTPE]i?|Ki))?$/.exec(
      text,
    ) ?? [];
  if (digits === undefined || !Object.hasOwn(suffixes, suffix)) return undefined;
  return exponent === undefined
    ? Number(digits) * (suffixes[suffix] ?? 1)
    : Number(`${digits}${exponent}`);
}
