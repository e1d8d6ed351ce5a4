const powers: Readonly<Record<string, number>> = {
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

/** The number of a Kubernetes quantity such as `500m`, `1.5` or `10Gi`; undefined where it is none. */
export function readQuantity(text: string): number | undefined {
  const parts =
    /^([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))([eE][+-]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?$/.exec(text);
  if (parts === null) return undefined;
  const [, number = "", unit = ""] = parts;
  const power = powers[unit];
  return power === undefined ? Number(number + unit) : Number(number) * power;
}
