import type { Span } from "../../base/span.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ConfEntry } from "./confDocument.ts";
import { documentationOf } from "./documentation.ts";
import { describeEntry } from "./entryWords.ts";
import { familyFinder } from "./families.ts";
import type { KeyFacts } from "./keyFacts.ts";
import { knowledgeOf, type Knowledge } from "./knowledge.ts";
import type { SparkVersion } from "./sparkVersions.ts";
import type { ValueType } from "./valueType.ts";
import { isPlaceholder } from "./values/placeholders.ts";
import { readKeyValue } from "./values/readValue.ts";

/** What there is to say about a setting. */
export interface Hover {
  readonly span: Span;
  /** Markdown, a paragraph each. */
  readonly paragraphs: readonly string[];
}

/** About the setting at that place, as that version of Spark takes it; undefined where none stands. */
export function hoverEntries(
  entries: readonly ConfEntry[],
  offset: number,
  catalogue: Catalogue,
  version: SparkVersion,
): Hover | undefined {
  const isIn = ({ start, end }: Span): boolean => start <= offset && offset < end;
  const entry = entries.find(({ keySpan, valueSpan }) => isIn(keySpan) || isIn(valueSpan));
  if (entry === undefined) return undefined;
  const paragraphs = describe(
    entry,
    knowledgeOf(catalogue, version)(entry.key),
    catalogue,
    version,
  );
  if (paragraphs.length === 0) return undefined;
  const span = isIn(entry.keySpan) ? entry.keySpan : entry.valueSpan;
  return { span, paragraphs: [`**${code(entry.key)}**`, ...paragraphs] };
}

function describe(
  { key, value }: ConfEntry,
  knowledge: Knowledge,
  catalogue: Catalogue,
  version: SparkVersion,
): readonly string[] {
  switch (knowledge.kind) {
    case "known": {
      const { facts } = knowledge;
      const family = familyFinder()(key);
      const read = isPlaceholder(value) ? [] : valueWords(catalogue, facts, value, version);
      return [
        ...descriptionOf(catalogue, key, family?.pattern),
        ...factWords(facts),
        ...read,
        ...linkTo(facts, version),
      ];
    }
    case "family": {
      const { pattern } = knowledge.family;
      return [
        ...descriptionOf(catalogue, pattern),
        `One of the keys ${code(pattern)}, with a name of your own in it.`,
      ];
    }
    case "future":
      return [`Spark ${knowledge.first} is the first to read it; this is for Spark ${version}.`];
    case "gone":
      return [`Spark ${knowledge.last} was the last to read it; this is for Spark ${version}.`];
    case "unknown":
      return key.startsWith("spark.") ? [`Spark ${version} declares no such key.`] : [];
    case "foreign":
    case "template":
      return [];
  }
}

/** Of several names the first that something is said about. */
function descriptionOf(
  catalogue: Catalogue,
  ...names: readonly (string | undefined)[]
): readonly string[] {
  for (const name of names) {
    const description = name === undefined ? undefined : catalogue.descriptionOf(name);
    if (description !== undefined) return [description];
  }
  return [];
}

// What is internal has no place in Spark's documentation.
const linkTo = ({ key, entry }: KeyFacts, version: SparkVersion): readonly string[] =>
  entry?.isPublic === true && !entry.isConnector
    ? [`[Documentation of Spark ${version}](${documentationOf(key, version)})`]
    : [];

function factWords({ entry, oldName, deprecated, removed }: KeyFacts): readonly string[] {
  const words: string[] = [];
  if (entry !== undefined) {
    words.push(`${capital(describeEntry(entry))}.`);
    const { choices, range } = entry.type;
    if (choices !== undefined) words.push(`One of ${choices.values.map(code).join(", ")}.`);
    const rangeText = range === undefined ? "" : rangeWords(range);
    if (rangeText !== "") words.push(rangeText);
    if (entry.prepended !== undefined) words.push(`${code(entry.prepended)} is put before it.`);
    if (entry.sql === "static")
      words.push("Set before the session begins; it cannot be changed in it.");
  }
  if (oldName !== undefined) words.push(`An old name of ${code(oldName.of)}.`);
  for (const [past, how] of [
    [deprecated, "Deprecated"],
    [removed, "Removed"],
  ] as const) {
    if (past === undefined) continue;
    const instead = past.successor === undefined ? "" : ` Use ${code(past.successor)}.`;
    words.push(`${how} since Spark ${past.since}.${instead}`);
  }
  return words;
}

function rangeWords({
  min,
  max,
  minExcluded,
  maxExcluded,
}: NonNullable<ValueType["range"]>): string {
  const low = min === undefined ? [] : [`${minExcluded ? "more than" : "at least"} ${min}`];
  const high = max === undefined ? [] : [`${maxExcluded ? "less than" : "at most"} ${max}`];
  const both = [...low, ...high].join(", ");
  return both === "" ? "" : `${capital(both)}.`;
}

/** What Spark makes of a time or a size, which is written in one unit and read in another. */
function valueWords(
  catalogue: Catalogue,
  facts: KeyFacts,
  value: string,
  version: SparkVersion,
): readonly string[] {
  const type = facts.entry?.type;
  if (type?.kind !== "time" && type?.kind !== "bytes") return [];
  const read = readKeyValue(catalogue, facts, value, version);
  if (typeof read !== "bigint") return [];
  const unit = type.unit === "BYTE" ? "bytes" : type.unit;
  return [`${code(value)} is ${read} ${unit}.`];
}

const code = (text: string): string => `\`${text.replaceAll("`", "'")}\``;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
