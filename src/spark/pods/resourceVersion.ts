const decimal = /^\d+$/;

/** False where the versions are no numbers: then the later one to come is the newer. */
export function isOlder(version: string, known: string): boolean {
  if (!decimal.test(version) || !decimal.test(known)) return false;
  return version.length === known.length ? version < known : version.length < known.length;
}
