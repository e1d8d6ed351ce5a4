/** A conf key whose value differs between two runs. An undefined value: the run does not set the key. */
export interface ConfChange {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type ConfEntries = readonly (readonly [string, string])[];

/** Returns the differences between two confs, sorted by key. */
export function confChanges(before: ConfEntries, after: ConfEntries): readonly ConfChange[] {
  const [old, current] = [new Map(before), new Map(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .filter((key) => old.get(key) !== current.get(key))
    .sort()
    .map((key) => ({ key, before: old.get(key), after: current.get(key) }));
}
