import type { ConfEntry } from "../../confDocument.ts";
import { isCapitalsMark, isPlaceholder } from "../../values/placeholders.ts";
import { isForKubernetes, type KeyIndex } from "./keyIndex.ts";
import type { KnownStretch } from "./knownStretch.ts";

/**
 * A document's settings, to be looked up; all that rules know of them is worked out of these answers. The places of
 * an entry are counted from the place of its stretch.
 */
export interface Settings {
  /** The one that counts, under its own name or an old one. */
  readonly entry: (key: string) => ConfEntry | undefined;
  /** Those below one of the prefixes of `groups.ts`. */
  readonly group: (prefix: string) => readonly ConfEntry[];
  /** Those whose whole value stands in quotes, or has blanks around it that Spark keeps. */
  readonly wrapped: () => readonly ConfEntry[];
  /** Those whose value is a secret, going by the key. */
  readonly secrets: () => readonly ConfEntry[];
  readonly isUnknown: (entry: ConfEntry) => boolean;
  readonly isElsewhere: (entry: ConfEntry) => boolean;
  /** Where the stretch of an entry stands. */
  readonly placeOf: (entry: ConfEntry) => number;
}

export interface KnownSettings extends Settings {
  /** Keys that answer something, and the prefixes that do. */
  readonly names: () => Iterable<string>;
  readonly isName: (name: string) => boolean;
  /** About how many there are. */
  readonly size: number;
  readonly isForKubernetes: boolean;
}

/** A stretch where it stands in its document. */
export interface PlacedStretch {
  readonly at: number;
  readonly known: KnownStretch;
}

/** The index is that of the stretches, and changes with them. What stands elsewhere counts less than they do. */
export function settingsOf(
  stretches: readonly PlacedStretch[],
  index: KeyIndex,
  elsewhere: KnownStretch,
  isUnknown: (key: string) => boolean,
): KnownSettings {
  const all = [elsewhere, ...stretches.map(({ known }) => known)];
  const others = new Set(elsewhere.entries);
  const winners = winnersIn(stretches, index.repeated);
  const ownEntry = (key: string): ConfEntry | undefined =>
    winners.get(key)?.entry ?? index.holder(key)?.byKey.get(key);
  let places: ReadonlyMap<ConfEntry, number> | undefined;
  const underOldName = new Map<string, ConfEntry>();
  for (const known of all) {
    for (const { of, entry } of known.underOldName) {
      if (!underOldName.has(of)) underOldName.set(of, entry);
    }
  }
  const groups = new Map<string, readonly ConfEntry[]>();
  const group = (prefix: string): readonly ConfEntry[] => {
    const found = groups.get(prefix) ?? all.flatMap(({ byGroup }) => byGroup.get(prefix) ?? []);
    groups.set(prefix, found);
    return found;
  };
  return {
    entry: (key) => ownEntry(key) ?? elsewhere.byKey.get(key) ?? underOldName.get(key),
    group,
    wrapped: () => stretches.flatMap(({ known }) => known.wrapped),
    secrets: () => all.flatMap(({ secrets }) => secrets),
    isUnknown: ({ key }) => isUnknown(key),
    isElsewhere: (entry) => others.has(entry),
    placeOf: (entry) => {
      // Most documents break no rule.
      places ??= new Map(
        stretches.flatMap(({ at, known }) => known.entries.map((one) => [one, at])),
      );
      return places.get(entry) ?? 0;
    },
    names: () => [
      ...index.keys.keys(),
      ...elsewhere.byKey.keys(),
      ...underOldName.keys(),
      ...all.flatMap(({ byGroup }) => [...byGroup.keys()]),
    ],
    isName: (name) =>
      index.holder(name) !== undefined ||
      elsewhere.byKey.has(name) ||
      underOldName.has(name) ||
      all.some(({ byGroup }) => byGroup.has(name)),
    size: index.keys.size,
    isForKubernetes:
      index.hasKubernetesKeys ||
      [...elsewhere.byKey.keys(), ...underOldName.keys()].some(isForKubernetes),
  };
}

/** The setting that counts of a key that is set more than once, and which of the stretches it stands in. */
export interface Winner {
  readonly entry: ConfEntry;
  readonly at: number;
  readonly stretch: number;
}

/** Of keys that are repeated, the last one counts. */
export function winnersIn(
  stretches: readonly PlacedStretch[],
  repeated: ReadonlySet<string>,
): ReadonlyMap<string, Winner> {
  const winners = new Map<string, Winner>();
  if (repeated.size === 0) return winners;
  stretches.forEach(({ at, known }, stretch) => {
    for (const [key, entry] of known.byKey) {
      if (repeated.has(key)) winners.set(key, { entry, at, stretch });
    }
  });
  return winners;
}

/** A setting's text; undefined where it is not set or not known yet. */
export function textOf({ entry }: Settings, key: string): string | undefined {
  const value = entry(key)?.value.trim();
  return value === undefined || isPlaceholder(value) || isCapitalsMark(value) ? undefined : value;
}
