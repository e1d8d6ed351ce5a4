import type { ConfEntry } from "../../confDocument.ts";
import type { KnownEntry } from "../rule.ts";

/** What settings that stand together tell, wherever that is: their places are counted from there. */
export interface KnownStretch {
  /** All but those that Spark passes over. */
  readonly entries: readonly ConfEntry[];
  /** The last one of each key. */
  readonly byKey: ReadonlyMap<string, ConfEntry>;
  /** Keys that stand in it more than once. */
  readonly repeated: ReadonlySet<string>;
  /** Those below the prefixes of `groups.ts`. */
  readonly byGroup: ReadonlyMap<string, readonly ConfEntry[]>;
  /** Those whose whole value stands in quotes, or has blanks around it that Spark keeps. */
  readonly wrapped: readonly ConfEntry[];
  /** Those whose value is a secret, going by the key. */
  readonly secrets: readonly ConfEntry[];
  /** Those under an old name, and the keys that they stand for. */
  readonly underOldName: readonly { readonly of: string; readonly entry: ConfEntry }[];
  readonly isTemplate: boolean;
}

export function knownStretch(known: readonly KnownEntry[]): KnownStretch {
  const entries: ConfEntry[] = [];
  const byKey = new Map<string, ConfEntry>();
  const repeated = new Set<string>();
  const byGroup = new Map<string, ConfEntry[]>();
  const wrapped: ConfEntry[] = [];
  const secrets: ConfEntry[] = [];
  const underOldName: { readonly of: string; readonly entry: ConfEntry }[] = [];
  let isTemplate = false;
  for (const one of known) {
    const { entry, knowledge, group } = one;
    if (knowledge.kind === "template") isTemplate = true;
    if (knowledge.kind === "foreign") continue;
    entries.push(entry);
    if (byKey.has(entry.key)) repeated.add(entry.key);
    byKey.set(entry.key, entry);
    if (knowledge.kind === "known" && knowledge.facts.oldName !== undefined)
      underOldName.push({ of: knowledge.facts.oldName.of, entry });
    if (isQuoted(entry) || isBlankAround(one)) wrapped.push(entry);
    if (one.isSecret) secrets.push(entry);
    if (group === undefined) continue;
    const members = byGroup.get(group);
    if (members === undefined) byGroup.set(group, [entry]);
    else members.push(entry);
  }
  return { entries, byKey, repeated, byGroup, wrapped, secrets, underOldName, isTemplate };
}

// Quotes part the Java options from each other; around all of them they make one option of all.
function isQuoted({ key, value }: ConfEntry): boolean {
  const first = value.charAt(0);
  if (value.length < 2 || (first !== '"' && first !== "'") || !value.endsWith(first)) return false;
  if (value.indexOf(first, 1) !== value.length - 1) return false;
  return !key.endsWith("JavaOptions") || /\s-/.test(value);
}

// A properties file loses them as it is read; numbers, lists and Java options do as Spark reads them.
function isBlankAround({ entry: { key, value }, knowledge }: KnownEntry): boolean {
  if (!/^\s|\s$/.test(value) || value.trim() === "" || key.endsWith("JavaOptions")) return false;
  if (knowledge.kind !== "known") return false;
  const type = knowledge.facts.entry?.type;
  return type === undefined || (type.kind === "string" && !type.trims);
}
