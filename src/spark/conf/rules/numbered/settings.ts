import type { ConfEntry } from "../../parse/confDocument.ts";
import { isCapitalsMark, isPlaceholder } from "../../values/placeholders.ts";
import type { KnownEntry } from "../rule.ts";

/** Looks up a document's settings. Numbered rules read them through `DocumentConf`, which wraps this interface. */
export interface Settings {
  /** Returns the effective entry, under the key's own name or an old one. Undefined if there is none. */
  entry(key: string): ConfEntry | undefined;
  /** Returns the entries below one of the prefixes of `groups.ts`. */
  group(prefix: string): readonly ConfEntry[];
  /** Entries whose whole value is in quotes, or has surrounding blanks that Spark keeps. */
  readonly wrapped: readonly ConfEntry[];
  /** Entries whose key marks the value as a secret. */
  readonly secrets: readonly ConfEntry[];
  isUnknown(entry: ConfEntry): boolean;
  /** True for an entry from another file, or one that the operator adds. */
  isElsewhere(entry: ConfEntry): boolean;
}

/**
 * The settings of one document and of the files that apply to it. A source file can yield thousands of one-setting
 * documents, so most members are allocated on first use.
 */
export class DocumentSettings implements Settings {
  readonly #isUnknown: (key: string) => boolean;
  readonly #own = new Map<string, ConfEntry>();
  #repeated: Set<string> | undefined;
  #elsewhere: Map<string, ConfEntry> | undefined;
  #elsewhereEntries: Set<ConfEntry> | undefined;
  #byOldName: Map<string, ConfEntry> | undefined;
  #groups: Map<string, ConfEntry[]> | undefined;
  #wrapped: ConfEntry[] | undefined;
  #secrets: ConfEntry[] | undefined;

  /** Indexes the entries of the document (`known`) and of other files (`others`), which have lower precedence. */
  constructor(
    known: readonly KnownEntry[],
    others: readonly KnownEntry[],
    isUnknown: (key: string) => boolean,
  ) {
    this.#isUnknown = isUnknown;
    for (const one of others) {
      if (one.knowledge.kind === "foreign") continue;
      (this.#elsewhere ??= new Map<string, ConfEntry>()).set(one.entry.key, one.entry);
      (this.#elsewhereEntries ??= new Set()).add(one.entry);
      this.#add(one);
    }
    for (const one of known) {
      if (one.knowledge.kind === "foreign") continue;
      const { entry } = one;
      if (this.#own.has(entry.key)) (this.#repeated ??= new Set()).add(entry.key);
      this.#own.set(entry.key, entry);
      if (isQuoted(entry) || hasOuterBlanks(one)) (this.#wrapped ??= []).push(entry);
      this.#add(one);
    }
  }

  /** Keys set in the document itself, each with its last entry. */
  get own(): ReadonlyMap<string, ConfEntry> {
    return this.#own;
  }

  /** Keys that the document sets more than once. */
  get repeated(): ReadonlySet<string> {
    return this.#repeated ?? noKeys;
  }

  get wrapped(): readonly ConfEntry[] {
    return this.#wrapped ?? noEntries;
  }

  get secrets(): readonly ConfEntry[] {
    return this.#secrets ?? noEntries;
  }

  get isForKubernetes(): boolean {
    let isFound = false;
    this.forEachName((name) => {
      isFound ||= name.startsWith("spark.kubernetes.");
    });
    return isFound;
  }

  entry(key: string): ConfEntry | undefined {
    return this.#own.get(key) ?? this.#elsewhere?.get(key) ?? this.#byOldName?.get(key);
  }

  group(prefix: string): readonly ConfEntry[] {
    return this.#groups?.get(prefix) ?? noEntries;
  }

  isUnknown({ key }: ConfEntry): boolean {
    return this.#isUnknown(key);
  }

  isElsewhere(entry: ConfEntry): boolean {
    return this.#elsewhereEntries?.has(entry) === true;
  }

  /** Visits all keys and group prefixes for which there is an entry. */
  forEachName(visit: (name: string) => void): void {
    for (const name of this.#own.keys()) visit(name);
    for (const name of this.#elsewhere?.keys() ?? []) visit(name);
    for (const name of this.#byOldName?.keys() ?? []) visit(name);
    for (const name of this.#groups?.keys() ?? []) visit(name);
  }

  hasName(name: string): boolean {
    return this.entry(name) !== undefined || this.#groups?.has(name) === true;
  }

  #add({ entry, knowledge, group, isSecret }: KnownEntry): void {
    const of = knowledge.kind === "known" ? knowledge.facts.oldName?.of : undefined;
    if (of !== undefined && this.#byOldName?.has(of) !== true)
      (this.#byOldName ??= new Map<string, ConfEntry>()).set(of, entry);
    if (isSecret) (this.#secrets ??= []).push(entry);
    if (group === undefined) return;
    this.#groups ??= new Map<string, ConfEntry[]>();
    const members = this.#groups.get(group);
    if (members === undefined) this.#groups.set(group, [entry]);
    else members.push(entry);
  }
}

const noKeys: ReadonlySet<string> = new Set();
const noEntries: readonly ConfEntry[] = [];

// True if quotes enclose the whole value. Java options may have quotes around a single option, but quotes around
// several options turn them into one.
function isQuoted({ key, value }: ConfEntry): boolean {
  const first = value.charAt(0);
  if (value.length < 2 || (first !== '"' && first !== "'") || !value.endsWith(first)) return false;
  if (value.indexOf(first, 1) !== value.length - 1) return false;
  return !key.endsWith("JavaOptions") || /\s-/.test(value);
}

// True if the value has surrounding blanks that Spark keeps. The properties parser trims values, and Spark itself trims
// numbers, lists and Java options.
function hasOuterBlanks({ entry: { key, value }, knowledge }: KnownEntry): boolean {
  if (!/^\s|\s$/.test(value) || value.trim() === "" || key.endsWith("JavaOptions")) return false;
  if (knowledge.kind !== "known") return false;
  const type = knowledge.facts.entry?.type;
  return type === undefined || (type.kind === "string" && !type.trims);
}

/** Returns the trimmed value; undefined if the key is not set or its value is a placeholder. */
export function settingTextOf(settings: Settings, key: string): string | undefined {
  const value = settings.entry(key)?.value.trim();
  return value === undefined || isPlaceholder(value) || isCapitalsMark(value) ? undefined : value;
}
