import type { ConfEntry } from "../../confDocument.ts";
import { isCapitalsMark, isPlaceholder } from "../../values/placeholders.ts";
import type { KnownEntry } from "../rule.ts";

/** A document's settings, to be looked up; all that rules know of them is worked out of these answers. */
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
}

export interface KnownSettings extends Settings {
  /** Keys that answer something, and the prefixes that do. */
  readonly keys: () => Iterable<string>;
  readonly prefixes: () => Iterable<string>;
}

/** Undefined for a template: there only a part of the lines counts in the end. */
export function settingsOf(
  own: readonly KnownEntry[],
  elsewhere: readonly KnownEntry[],
): KnownSettings | undefined {
  const others = new Set(elsewhere.map(({ entry }) => entry));
  const entries = elsewhere.length === 0 ? own : [...elsewhere, ...own];
  const byKey = new Map<string, ConfEntry>();
  const byGroup = new Map<string, ConfEntry[]>();
  const wrapped: ConfEntry[] = [];
  const secrets: ConfEntry[] = [];
  const unknown = new Set<ConfEntry>();
  const underOldName: KnownEntry[] = [];
  for (const known of entries) {
    const { entry, knowledge, group } = known;
    if (knowledge.kind === "template") return undefined;
    if (knowledge.kind === "foreign") continue;
    byKey.set(entry.key, entry);
    if (knowledge.kind === "unknown") unknown.add(entry);
    if (knowledge.kind === "known" && knowledge.facts.oldName !== undefined)
      underOldName.push(known);
    if ((isQuoted(entry) || isBlankAround(known)) && !others.has(entry)) wrapped.push(entry);
    if (known.isSecret) secrets.push(entry);
    if (group === undefined) continue;
    const members = byGroup.get(group);
    if (members === undefined) byGroup.set(group, [entry]);
    else members.push(entry);
  }
  for (const { entry, knowledge } of underOldName) {
    const of = knowledge.kind === "known" ? knowledge.facts.oldName?.of : undefined;
    if (of !== undefined && !byKey.has(of)) byKey.set(of, entry);
  }
  return {
    entry: (key) => byKey.get(key),
    group: (prefix) => byGroup.get(prefix) ?? [],
    wrapped: () => wrapped,
    secrets: () => secrets,
    isUnknown: (entry) => unknown.has(entry),
    isElsewhere: (entry) => others.has(entry),
    keys: () => byKey.keys(),
    prefixes: () => byGroup.keys(),
  };
}

/** A setting's text; undefined where it is not set or not known yet. */
export function textOf({ entry }: Settings, key: string): string | undefined {
  const value = entry(key)?.value.trim();
  return value === undefined || isPlaceholder(value) || isCapitalsMark(value) ? undefined : value;
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
