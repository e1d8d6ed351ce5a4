/** A conf key whose value differs between two runs. Undefined: the run does not set it. */
export interface ConfChange {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type ConfEntries = readonly (readonly [string, string])[];

/** The differences between two confs, by key. */
export function confChanges(before: ConfEntries, after: ConfEntries): readonly ConfChange[] {
  const [old, current] = [new Map(before), new Map(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .filter((key) => old.get(key) !== current.get(key))
    .sort()
    .map((key) => ({ key, before: old.get(key), after: current.get(key) }));
}
