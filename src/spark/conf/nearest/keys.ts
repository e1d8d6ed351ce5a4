import type { Catalogue } from "../catalogue/catalogue.ts";
import { keyFamilies, isRead } from "../catalogue/families.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import { distance, maxTypoDistance } from "./distance.ts";
import { mistakenKeys, mistakenPrefixes } from "./mistakes.ts";

/** Suggests known keys for a misspelled key. */
export interface KeyFinder {
  /**
   * Returns the nearest keys: at most three, all at the same distance, sorted. Returns only the correction of a known
   * mistake. Empty if no key is near, or if more than three are equally near.
   */
  nearest(key: string): readonly string[];
  /** True if the key is in a namespace that only Spark defines, not connectors or other projects. */
  isOwnPlace(key: string): boolean;
}

interface Candidate {
  readonly key: string;
  /** Lower-case letters and digits only, so case, dots and dashes do not count as differences. */
  readonly letters: string;
  /** The frequency of each letter; all digits count as one letter. */
  readonly counts: Uint8Array;
  readonly parts: readonly string[];
}

/**
 * The maximum length of a name in characters. Longer names have no suggestions, because comparing them takes too long.
 */
const maxKeyLength = 200;

export function keyFinder(catalogue: Catalogue, version: SparkVersion): KeyFinder {
  const candidates = catalogue.keys(version).map(({ key }) => toCandidate(key));
  const patterns = keyFamilies
    .filter((family) => isRead(family, version))
    .map(({ pattern }) => pattern.split("."));
  const places = placesOf(candidates);
  return {
    isOwnPlace: (key) => isOwnPlace(key, places),
    nearest: (key) => {
      if (key.length > maxKeyLength) return [];
      const known = mistake(key);
      if (known !== undefined && isKnown(catalogue, known, version)) return [known];
      const asked = toCandidate(key);
      const best = new Best();
      for (const candidate of candidates)
        best.offer(candidate.key, cost(asked, candidate, best.cost));
      for (const [name, changes] of familyNames(key, patterns)) best.offer(name, changes);
      return best.names();
    },
  };
}

/** As `keyFinder`, but builds the list of all keys at the first search. */
export function lazyKeyFinder(catalogue: Catalogue, version: SparkVersion): KeyFinder {
  let finder: KeyFinder | undefined;
  const ready = (): KeyFinder => (finder ??= keyFinder(catalogue, version));
  return {
    nearest: (key) => ready().nearest(key),
    isOwnPlace: (key) => ready().isOwnPlace(key),
  };
}

// Collects the names with the lowest cost. More than three equally good names are ambiguous, so none is returned.
class Best {
  cost = 3;
  readonly #names = new Set<string>();

  offer(name: string, cost: number | undefined): void {
    if (cost === undefined || cost > this.cost) return;
    if (cost < this.cost) this.#names.clear();
    this.cost = cost;
    this.#names.add(name);
  }

  names(): readonly string[] {
    return this.#names.size > 3 ? [] : [...this.#names].sort();
  }
}

function mistake(key: string): string | undefined {
  for (const [wrong, right] of mistakenPrefixes) {
    if (key.startsWith(wrong) && key.length > wrong.length) return right + key.slice(wrong.length);
  }
  return mistakenKeys.get(key);
}

const isKnown = (catalogue: Catalogue, key: string, version: SparkVersion): boolean =>
  catalogue.find(key, version) !== undefined ||
  mistakenPrefixes.some(([, right]) => key.startsWith(right));

function toCandidate(key: string): Candidate {
  const lower = key.toLowerCase();
  const letters = lower.replace(/[^a-z0-9]/g, "");
  return { key, letters, counts: countsOf(letters), parts: lower.split(".") };
}

function countsOf(letters: string): Uint8Array {
  const counts = new Uint8Array(27);
  for (let index = 0; index < letters.length; index++) {
    const slot = Math.max(0, letters.charCodeAt(index) - 0x60);
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return counts;
}

// Counts the letters that only one of the names contains: a lower bound for the distance. It is cheap to compute and
// excludes most keys.
function leastChanges(a: Uint8Array, b: Uint8Array): number {
  let added = 0;
  let missing = 0;
  for (let slot = 0; slot < a.length; slot++) {
    const difference = (a[slot] ?? 0) - (b[slot] ?? 0);
    if (difference > 0) missing += difference;
    else added -= difference;
  }
  return Math.max(added, missing);
}

// Returns the edit distance in letters, or else the price of one missing or additional component. Undefined if the
// names are not similar.
function cost(asked: Candidate, candidate: Candidate, limit: number): number | undefined {
  const letters = letterCost(
    asked,
    candidate,
    Math.min(limit, maxTypoDistance(asked.letters.length - 5)),
  );
  if (letters !== undefined) return letters;
  return limit < enabledPrice ? undefined : partCost(asked.parts, candidate.parts);
}

function letterCost(asked: Candidate, candidate: Candidate, limit: number): number | undefined {
  if (Math.abs(asked.letters.length - candidate.letters.length) > limit) return undefined;
  if (leastChanges(asked.counts, candidate.counts) > limit) return undefined;
  const changes = distance(asked.letters, candidate.letters, limit);
  if (changes === undefined) return undefined;
  const isSameShape = asked.parts.length === candidate.parts.length;
  if (
    isSameShape &&
    !asked.parts.every((part, index) => isNear(part, candidate.parts[index] ?? ""))
  ) {
    return undefined;
  }
  return changes;
}

// A short word with mostly different letters is another word, not a misspelling: `host` and `port`.
const isNear = (part: string, other: string): boolean =>
  part === other ||
  part.endsWith(other) ||
  other.endsWith(part) ||
  distance(part, other, Math.max(1, maxTypoDistance(Math.min(part.length, other.length)))) !==
    undefined;

/** The cost of a missing or additional component, in letters. A missing `enabled` is most common, so it costs less. */
const partPrice = 2.5;
const enabledPrice = 1.5;

function partCost(asked: readonly string[], candidate: readonly string[]): number | undefined {
  if (candidate.length === asked.length + 1) {
    const missing = oddPart(candidate, asked);
    if (missing === undefined || asked.length < 3) return undefined;
    return missing === asked.length && candidate[missing] === "enabled" ? enabledPrice : partPrice;
  }
  if (asked.length !== candidate.length + 1) return undefined;
  const added = oddPart(asked, candidate);
  // A key without one of its middle components has another meaning, unless most of it remains.
  const rest = added === candidate.length ? 3 : 5;
  return added === undefined || candidate.length < rest ? undefined : partPrice;
}

// Returns the index of the component that the shorter name lacks; undefined if there are other differences.
function oddPart(longer: readonly string[], shorter: readonly string[]): number | undefined {
  let odd = 0;
  while (odd < shorter.length && longer[odd] === shorter[odd]) odd++;
  for (let index = odd; index < shorter.length; index++) {
    if (longer[index + 1] !== shorter[index]) return undefined;
  }
  return odd;
}

// Returns the names of key families that are similar to the key, each with its distance. Corrects the fixed components
// and keeps the variable ones.
function familyNames(
  key: string,
  patterns: readonly (readonly string[])[],
): readonly (readonly [string, number])[] {
  const asked = key.split(".");
  const found: (readonly [string, number])[] = [];
  for (const pattern of patterns) {
    const isOpen = pattern.at(-1) === "*";
    if (isOpen ? asked.length < pattern.length : asked.length !== pattern.length) continue;
    const changes = familyCost(asked, pattern);
    if (changes === undefined) continue;
    const name = pattern.map((part, index) => {
      if (part === "*") return asked.slice(index).join(".");
      return part.startsWith("<") ? (asked[index] ?? "") : part;
    });
    found.push([name.join("."), changes]);
  }
  return found;
}

function familyCost(asked: readonly string[], pattern: readonly string[]): number | undefined {
  let changes = 0;
  for (const [index, part] of pattern.entries()) {
    if (part === "*" || part.startsWith("<")) continue;
    const given = (asked[index] ?? "").toLowerCase();
    // The limit is stricter than for whole keys: words of up to three letters must match exactly.
    const steps = distance(given, part.toLowerCase(), maxTypoDistance(part.length - 1));
    if (steps === undefined) return undefined;
    changes += steps;
  }
  return changes;
}

/** Returns the components that follow `spark.` in keys with at least three components. */
const placesOf = (candidates: readonly Candidate[]): ReadonlySet<string> =>
  new Set(candidates.flatMap(({ parts: [, one, two] }) => (one && two ? [one] : [])));

// Namespaces in which connectors, other projects and Spark service providers define keys.
const openPlaces: ReadonlySet<string> = new Set([
  "sql",
  "shuffle",
  "metrics",
  "streaming",
  "history",
  "databricks",
  "yarn",
  "blacklist",
  "stage",
]);

function isOwnPlace(key: string, first: ReadonlySet<string>): boolean {
  const [, one = "", two] = key.toLowerCase().split(".", 3);
  return two !== undefined && first.has(one) && !openPlaces.has(one);
}
