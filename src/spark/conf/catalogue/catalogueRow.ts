import {
  byteUnits,
  comparisonLetters,
  forms,
  kindLetters,
  tags,
  timeUnits,
  type Comparison,
  type ValueKind,
} from "./catalogueFormat.ts";
import type { Deprecation, EntryFacts, KeyFacts, OldName, Removal } from "./keyFacts.ts";
import type { Choices, Range, ValueType } from "../values/valueType.ts";

/** Decodes a catalogue row for the version with this bit. Undefined if no field of the row applies to that version. */
export function decodeRow(row: string, versionBit: number): KeyFacts | undefined {
  const [key = "", ...fields] = row.split("\t");
  const found = new Map<string, string>();
  let holds = true;
  for (const field of fields) {
    const tag = field.charAt(0);
    if (tag === tags.versions) holds = (Number.parseInt(field.slice(1), 16) & versionBit) !== 0;
    else if (holds) found.set(tag, field.slice(1));
  }
  if (found.size === 0) return undefined;
  return {
    key,
    entry: decodeEntry(found),
    oldName: decodeOldName(found.get(tags.oldNameOf)),
    deprecated: decodeDeprecation(found.get(tags.deprecated)),
    removed: decodeRemoval(found.get(tags.removed)),
  };
}

function decodeEntry(found: ReadonlyMap<string, string>): EntryFacts | undefined {
  const kind = found.get(tags.kind);
  if (kind === undefined) return undefined;
  return {
    type: decodeType(kind, found),
    default: found.get(tags.default),
    fallback: found.get(tags.fallback),
    prepended: found.get(tags.prepended),
    since: found.get(tags.since),
    isPublic: !found.has(tags.internal),
    sql: found.has(tags.staticSql) ? "static" : found.has(tags.sessionSql) ? "session" : undefined,
    isConnector: found.has(tags.connector),
  };
}

function decodeType(text: string, found: ReadonlyMap<string, string>): ValueType {
  const kind = kindOf(text.charAt(0));
  const detail = text.slice(2);
  const choices = decodeChoices(found.get(tags.choices));
  const form = found.get(tags.form);
  const checks = {
    trims: !found.has(tags.untrimmed) && kind !== "string" && kind !== "regex",
    range: decodeRange(found.get(tags.range)),
    choices,
    form: forms.find((known) => known === form),
  };
  switch (kind) {
    case "time":
      return { ...checks, kind, unit: oneOf(timeUnits, detail) };
    case "bytes":
      return { ...checks, kind, unit: oneOf(byteUnits, detail) };
    case "list":
      return { ...checks, kind, element: detail === kindLetters.long ? "long" : "string" };
    case "string":
      return { ...checks, kind, trims: choices?.comparison === "trimmedAnyCase" };
    case "boolean":
    case "int":
    case "long":
    case "double":
    case "decimal":
    case "regex":
      return { ...checks, kind };
  }
}

// Decodes an interval: `[1,2097151]`, `(0,1)`, `[0,`, `,100]`, `[-1,!0,1`, `[0,100]%5`.
function decodeRange(text: string | undefined): Range | undefined {
  if (text === undefined) return undefined;
  const [interval = "", holes = ""] = text.split("!");
  const [bounds = "", step] = interval.split("%");
  const [from = "", to = ""] = bounds.split(",");
  return {
    min: from === "" ? undefined : Number(from.slice(1)),
    max: to === "" ? undefined : Number(to.slice(0, -1)),
    minExcluded: from.startsWith("("),
    maxExcluded: to.endsWith(")"),
    holes: holes === "" ? [] : holes.split(",").map(Number),
    step: step === undefined ? undefined : Number(step),
  };
}

function decodeChoices(text: string | undefined): Choices | undefined {
  if (text === undefined) return undefined;
  return { comparison: comparisonOf(text.charAt(0)), values: text.slice(1).split("|") };
}

function decodeOldName(text: string | undefined): OldName | undefined {
  if (text === undefined) return undefined;
  const [of = "", number] = text.split("*");
  if (number === undefined) return { of, takes: undefined };
  return { of, takes: number === kindLetters.int ? "int" : "double" };
}

function decodeDeprecation(text: string | undefined): Deprecation | undefined {
  if (text === undefined) return undefined;
  const [since = "", successor] = text.split(">");
  return { since, successor };
}

function decodeRemoval(text: string | undefined): Removal | undefined {
  if (text === undefined) return undefined;
  const end = text.indexOf("=");
  const [since = "", successor] = text.slice(0, end).split(">");
  return { since, successor, onlyValue: text.slice(end + 1) };
}

function kindOf(letter: string): ValueKind {
  for (const kind of kinds) if (kindLetters[kind] === letter) return kind;
  throw new Error(`no kind has the letter ${letter}`);
}

function comparisonOf(letter: string): Comparison {
  for (const comparison of comparisons) {
    if (comparisonLetters[comparison] === letter) return comparison;
  }
  throw new Error(`no comparison has the letter ${letter}`);
}

function oneOf<T extends string>(known: readonly T[], text: string): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new Error(`not a unit: ${text}`);
  return found;
}

const kinds: readonly ValueKind[] = [
  "boolean",
  "int",
  "long",
  "double",
  "decimal",
  "string",
  "time",
  "bytes",
  "list",
  "regex",
];
const comparisons: readonly Comparison[] = ["exact", "upper", "lower", "trimmedAnyCase"];
