import type { ConfEntry } from "../../parse/confDocument.ts";
import { isCapitalsMark, isPlaceholder } from "../../values/placeholders.ts";
import type { KnownEntry } from "../rule.ts";

/** Lookup of a document's settings, the only access that rules have. */
export interface Settings {
  /** Returns the effective entry, under the key's own name or an old one. */
  readonly entry: (key: string) => ConfEntry | undefined;
  /** Returns the entries below one of the prefixes of `groups.ts`. */
  readonly group: (prefix: string) => readonly ConfEntry[];
  /** Entries whose whole value is in quotes, or has surrounding blanks that Spark keeps. */
  readonly wrapped: readonly ConfEntry[];
  /** Entries whose key marks the value as a secret. */
  readonly secrets: readonly ConfEntry[];
  readonly isUnknown: (entry: ConfEntry) => boolean;
  /** True for an entry of another file, or one that the operator adds. */
  readonly isElsewhere: (entry: ConfEntry) => boolean;
}

/** The settings of one document and of the files that apply to it. */
export interface DocumentSettings extends Settings {
  /** Keys set in the document itself, each with its last entry. */
  readonly own: ReadonlyMap<string, ConfEntry>;
  /** Keys that the document sets more than once. */
  readonly repeated: ReadonlySet<string>;
  /** Visits all keys and group prefixes for which there is an entry. */
  readonly forEachName: (visit: (name: string) => void) => void;
  readonly hasName: (name: string) => boolean;
  readonly isForKubernetes: boolean;
}

/** Indexes a document's entries. Entries of other files have lower precedence. */
export function settingsOf(
  known: readonly KnownEntry[],
  others: readonly KnownEntry[],
  isUnknown: (key: string) => boolean,
): DocumentSettings {
  const own = new Map<string, ConfEntry>();
  const wrapped: ConfEntry[] = [];
  const secrets: ConfEntry[] = [];
  // Allocated on first use: a source file can yield thousands of one-setting documents, which need none of these maps.
  let repeated: Set<string> | undefined;
  let elsewhere: Map<string, ConfEntry> | undefined;
  let elsewhereEntries: Set<ConfEntry> | undefined;
  let byOldName: Map<string, ConfEntry> | undefined;
  let groups: Map<string, ConfEntry[]> | undefined;
  const add = ({ entry, knowledge, group, isSecret }: KnownEntry): void => {
    const of = knowledge.kind === "known" ? knowledge.facts.oldName?.of : undefined;
    if (of !== undefined && byOldName?.has(of) !== true)
      (byOldName ??= new Map<string, ConfEntry>()).set(of, entry);
    if (isSecret) secrets.push(entry);
    if (group === undefined) return;
    groups ??= new Map<string, ConfEntry[]>();
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [entry]);
    else members.push(entry);
  };
  for (const one of others) {
    if (one.knowledge.kind === "foreign") continue;
    (elsewhere ??= new Map<string, ConfEntry>()).set(one.entry.key, one.entry);
    (elsewhereEntries ??= new Set()).add(one.entry);
    add(one);
  }
  for (const one of known) {
    if (one.knowledge.kind === "foreign") continue;
    const { entry } = one;
    if (own.has(entry.key)) (repeated ??= new Set()).add(entry.key);
    own.set(entry.key, entry);
    if (isQuoted(entry) || hasOuterBlanks(one)) wrapped.push(entry);
    add(one);
  }
  const indexes = [own, elsewhere, byOldName].filter((index) => index !== undefined);
  return {
    own,
    repeated: repeated ?? none,
    entry: (key) => own.get(key) ?? elsewhere?.get(key) ?? byOldName?.get(key),
    group: (prefix) => groups?.get(prefix) ?? [],
    wrapped,
    secrets,
    isUnknown: ({ key }) => isUnknown(key),
    isElsewhere: (entry) => elsewhereEntries?.has(entry) === true,
    forEachName: (visit) => {
      for (const index of indexes) for (const name of index.keys()) visit(name);
      for (const name of groups?.keys() ?? []) visit(name);
    },
    hasName: (name) => indexes.some((index) => index.has(name)) || groups?.has(name) === true,
    isForKubernetes: indexes.some((index) => {
      for (const key of index.keys()) if (key.startsWith("spark.kubernetes.")) return true;
      return false;
    }),
  };
}

const none: ReadonlySet<string> = new Set();

// In Java options, quotes may enclose one option. Around the whole value they turn all options into one.
function isQuoted({ key, value }: ConfEntry): boolean {
  const first = value.charAt(0);
  if (value.length < 2 || (first !== '"' && first !== "'") || !value.endsWith(first)) return false;
  if (value.indexOf(first, 1) !== value.length - 1) return false;
  return !key.endsWith("JavaOptions") || /\s-/.test(value);
}

// A properties file trims values; Spark itself trims numbers, lists and Java options.
function hasOuterBlanks({ entry: { key, value }, knowledge }: KnownEntry): boolean {
  if (!/^\s|\s$/.test(value) || value.trim() === "" || key.endsWith("JavaOptions")) return false;
  if (knowledge.kind !== "known") return false;
  const type = knowledge.facts.entry?.type;
  return type === undefined || (type.kind === "string" && !type.trims);
}

/** Returns the trimmed value; undefined if the key is not set or its value is a placeholder. */
export function settingTextOf({ entry }: Settings, key: string): string | undefined {
  const value = entry(key)?.value.trim();
  return value === undefined || isPlaceholder(value) || isCapitalsMark(value) ? undefined : value;
}
