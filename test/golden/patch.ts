// Computes edits between two JSON values. Recordings are stored as edits, because many are similar.
import { isRecord } from "./caseFiles.ts";

/** A path of keys and the new value; without a value the key is deleted. */
export type Edit = readonly [path: readonly (string | number)[], value?: unknown];

export function editsBetween(from: unknown, to: unknown, path: Edit[0] = []): readonly Edit[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (isRecord(from) && isRecord(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key): readonly Edit[] => {
      if (!(key in to)) return [[[...path, key]]];
      return key in from
        ? editsBetween(from[key], to[key], [...path, key])
        : [[[...path, key], to[key]]];
    });
  }
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    return to.flatMap((item: unknown, index) => editsBetween(from[index], item, [...path, index]));
  }
  return [[path, to]];
}

export function withEdits(from: unknown, edits: readonly Edit[]): unknown {
  return edits.reduce((value, [path, ...rest]) => withEdit(value, path, rest), from);
}

function withEdit(value: unknown, path: Edit[0], rest: readonly unknown[]): unknown {
  const [key, ...deeper] = path;
  if (key === undefined) return rest[0];
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === key ? withEdit(item, deeper, rest) : item,
    );
  }
  const record = isRecord(value) ? value : {};
  if (deeper.length === 0 && rest.length === 0) {
    return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
  }
  return { ...record, [key]: withEdit(record[key], deeper, rest) };
}
