import type { Span } from "../../../base/span.ts";
import { inlineCode } from "../../inlineCode.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ConfEntry } from "../parse/confDocument.ts";
import { documentationOf } from "../catalogue/documentation.ts";
import { describeEntry } from "../catalogue/entryWords.ts";
import { familyFinder } from "../catalogue/families.ts";
import type { KeyFacts } from "../catalogue/keyFacts.ts";
import { knowledgeOf, type Knowledge } from "../catalogue/knowledge.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import type { ValueType } from "../values/valueType.ts";
import { keyFinder } from "../nearest/keys.ts";
import { isPlaceholder } from "../values/placeholders.ts";
import { readKeyValue } from "../values/readValue.ts";

/** The hover text of a setting. */
export interface Hover {
  readonly span: Span;
  /** Markdown, one item per paragraph. */
  readonly paragraphs: readonly string[];
}

/** The hover for the setting at an offset, for this Spark version; undefined if there is none. */
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
  return { span, paragraphs: [`**${inlineCode(entry.key)}**`, ...paragraphs] };
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
        `One of the keys ${inlineCode(pattern)}, with a name of your own in it.`,
      ];
    }
    case "future":
      return [`Spark ${knowledge.first} is the first to read it; this is for Spark ${version}.`];
    case "gone":
      return [`Spark ${knowledge.last} was the last to read it; this is for Spark ${version}.`];
    case "unknown":
      return key.startsWith("spark.") ? [unknownWords(key, catalogue, version)] : [];
    case "foreign":
    case "template":
      return [];
  }
}

function unknownWords(key: string, catalogue: Catalogue, version: SparkVersion): string {
  const near = keyFinder(catalogue, version).nearest(key).map(inlineCode);
  const unknown = `Unknown key in Spark ${version}.`;
  if (near.length === 0) return unknown;
  return `${unknown} Did you mean ${near.join(" or ")}? The quick fix renames it.`;
}

/** The first description found for these names. */
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

// Spark's documentation lists public keys only.
const linkTo = ({ key, entry }: KeyFacts, version: SparkVersion): readonly string[] =>
  entry?.isPublic === true && !entry.isConnector
    ? [`[Documentation of Spark ${version}](${documentationOf(key, version)})`]
    : [];

function factWords({ entry, oldName, deprecated, removed }: KeyFacts): readonly string[] {
  const words: string[] = [];
  if (entry !== undefined) {
    words.push(`${capital(describeEntry(entry))}.`);
    const { choices, range } = entry.type;
    if (choices !== undefined) words.push(`One of ${choices.values.map(inlineCode).join(", ")}.`);
    const rangeText = range === undefined ? "" : rangeWords(range);
    if (rangeText !== "") words.push(rangeText);
    if (entry.prepended !== undefined)
      words.push(`${inlineCode(entry.prepended)} is put before it.`);
    if (entry.sql === "static")
      words.push("Set before the session begins; it cannot be changed in it.");
  }
  if (oldName !== undefined) words.push(`An old name of ${inlineCode(oldName.of)}.`);
  for (const [past, how] of [
    [deprecated, "Deprecated"],
    [removed, "Removed"],
  ] as const) {
    if (past === undefined) continue;
    const instead = past.successor === undefined ? "" : ` Use ${inlineCode(past.successor)}.`;
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

/** A time or size, converted to the unit that Spark uses. */
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
  return [`${inlineCode(value)} is ${read} ${unit}.`];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
