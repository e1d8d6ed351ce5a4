import type { Message } from "../base/message.ts";
import { compileLinear, type LinearPattern } from "../base/linearPattern.ts";

/** An entry of a guard setting. */
export interface GuardEntry {
  /** The entry as the user wrote it; an invalid entry is cut to 200 characters. */
  readonly text: string;
  /** Position in the list, from 1; undefined if the setting is not a list. */
  readonly number: number | undefined;
  /** The reason why the entry is invalid and so guards every context; undefined for a valid entry. */
  readonly problem: GuardProblem | undefined;
  readonly guards: (context: string) => boolean;
}

type GuardProblem =
  | { readonly kind: "noList" | "noText" | "empty" | "tooLong" }
  /** The syntax is valid, but the entry would match unintended names or none. */
  | { readonly kind: "quoted" | "negated" | "severalNames" | "braces" | "invisible" }
  | { readonly kind: "syntax"; readonly detail: Message };

/** The user's guard settings. */
export interface ContextPatterns {
  /** Patterns of contexts in which a change requires typing the context's name. */
  readonly guarded: readonly GuardEntry[];
  /** Patterns of contexts in which changes are blocked. */
  readonly readOnly: readonly GuardEntry[];
}

export type ContextGuard =
  | { readonly kind: "none" }
  | { readonly kind: "typeName" | "readOnly"; readonly entry: GuardEntry };

/** The cluster that a change affects, and the contexts whose guards apply to the change. */
export interface GuardedPlace {
  /** The context, or the server's address if no context uses it. The user types this name to confirm a change. */
  readonly name: string;
  /** The contexts whose guards apply. */
  readonly contexts: readonly string[];
  /** `unknown` means that no context uses this server. It may be any cluster, so all guards apply. */
  readonly server: "known" | "unknown";
}

export const placeOfContext = (context: string): GuardedPlace => ({
  name: context,
  contexts: [context],
  server: "known",
});

/** Returns the strictest guard of a place, with the first entry that sets it. */
export function guardOf(
  { contexts, server }: GuardedPlace,
  { guarded, readOnly }: ContextPatterns,
): ContextGuard {
  const isGuarding = ({ guards }: GuardEntry): boolean =>
    server === "unknown" || contexts.some((context) => guards(context));
  const locked = readOnly.find(isGuarding);
  if (locked !== undefined) return { kind: "readOnly", entry: locked };
  const asked = guarded.find(isGuarding);
  return asked === undefined ? { kind: "none" } : { kind: "typeName", entry: asked };
}

export type GuardKind = ContextGuard["kind"];

export const strictestGuard = (guards: readonly GuardKind[]): GuardKind =>
  (["readOnly", "typeName"] as const).find((kind) => guards.includes(kind)) ?? "none";

const maxEntryLength = 200;

/**
 * Parses the raw value of a guard setting. An invalid entry guards every context, because a needless guard only costs
 * some typing, but a missing one may cost a production run.
 */
export function parseGuards(value: unknown): readonly GuardEntry[] {
  if (!Array.isArray(value)) return [unclear(value, undefined, { kind: "noList" })];
  return value.map((entry: unknown, index) => parseEntry(entry, index + 1));
}

/**
 * Parses an entry of a guard setting. An entry without special characters matches any part of the name. An entry with
 * `*`, `?`, `[…]` or `{a,b}` is a glob for the whole name; if it is also a valid regular expression, both apply. An
 * entry with `\ ^ $ + ( ) |` must be a regular expression (RE2), which matches any part. Matching ignores case and
 * differences in Unicode normalization.
 */
function parseEntry(entry: unknown, number: number): GuardEntry {
  if (typeof entry !== "string") return unclear(entry, number, { kind: "noText" });
  const text = entry.trim().normalize("NFC");
  if (text === "") return unclear(entry, number, { kind: "empty" });
  if (text.length > maxEntryLength) return unclear(entry, number, { kind: "tooLong" });
  const mistake = mistakeIn(text);
  if (mistake !== undefined) return unclear(entry, number, { kind: mistake });
  const regex = compile(text);
  const glob = globSource(text);
  const readings: readonly LinearPattern[] = [
    ...(regex.ok ? [regex.value] : []),
    ...(glob === undefined ? [] : [glob]),
  ];
  const mustBeRegex = /[\\^$+()|]/.test(text);
  if (!regex.ok && (mustBeRegex || glob === undefined)) {
    return unclear(entry, number, { kind: "syntax", detail: regex.error.detail });
  }
  return {
    text: entry,
    number,
    problem: undefined,
    guards: (context) => {
      const name = context.normalize("NFC");
      return readings.some((reading) => reading.test(name));
    },
  };
}

type Mistake = Extract<
  GuardProblem["kind"],
  "quoted" | "negated" | "severalNames" | "braces" | "invisible"
>;

/**
 * Detects text that is a valid pattern, but would match unintended names or none: invisible characters, quotes, a
 * negation, several names, or unbalanced braces.
 */
function mistakeIn(text: string): Mistake | undefined {
  if (/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text)) return "invisible";
  if (/^["'`]|["'`]$|^\/.*\/[dgimsuvy]*$/s.test(text)) return "quoted";
  if (text.startsWith("!")) return "negated";
  const plain = withoutGroups(text);
  if (plain === undefined) return "braces";
  return /[\s,;]/.test(plain) ? "severalNames" : undefined;
}

/**
 * Removes escapes, character classes, braces and the commas inside braces. Returns undefined if the braces are
 * unbalanced or empty.
 */
function withoutGroups(text: string): string | undefined {
  let rest = "";
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") {
      const end = text.indexOf("]", at + 2);
      if (end !== -1) at = end;
    } else if (char === "{") {
      if (/^\{[\s,]*\}/.test(text.slice(at))) return undefined;
      depth += 1;
    } else if (char === "}") {
      depth -= 1;
      if (depth < 0) return undefined;
    } else if (char !== "," || depth === 0) rest += char;
  }
  return depth === 0 ? rest : undefined;
}

const compile = (source: string) => compileLinear(source, { for: "name", ignoresCase: true });

/** Converts a glob into a pattern for the whole name. Undefined if the text is not a valid glob. */
function globSource(text: string): LinearPattern | undefined {
  let source = "";
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "[") {
      const end = text.indexOf("]", at + 2);
      if (end === -1) return undefined;
      const inside = text.slice(at + 1, end);
      const isNegated = /^[!^]/.test(inside);
      source += `[${isNegated ? "^" : ""}${inside.slice(isNegated ? 1 : 0).replace(/[\\[\]^]/g, "\\$&")}]`;
      at = end;
    } else if (char === "{") {
      depth += 1;
      source += "(?:";
    } else if (char === "}") {
      depth -= 1;
      if (depth < 0) return undefined;
      source += ")";
    } else if (char === "*") source += ".*";
    else if (char === "?") source += ".";
    else if (char === "," && depth > 0) source += "|";
    else source += char.replace(/[\\^$.+()\]|]/, "\\$&");
  }
  if (depth > 0) return undefined;
  const compiled = compile(`(?s)^(?:${source})$`);
  return compiled.ok ? compiled.value : undefined;
}

function unclear(value: unknown, number: number | undefined, problem: GuardProblem): GuardEntry {
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  return { text: text.slice(0, maxEntryLength), number, problem, guards: () => true };
}

/** Returns the invalid entries of each setting. */
export const unclearEntries = ({
  guarded,
  readOnly,
}: ContextPatterns): Readonly<Record<keyof ContextPatterns, readonly GuardEntry[]>> => {
  const isUnclear = ({ problem }: GuardEntry): boolean => problem !== undefined;
  return { guarded: guarded.filter(isUnclear), readOnly: readOnly.filter(isUnclear) };
};
