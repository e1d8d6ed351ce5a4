import type { Span } from "../../../base/span.ts";
import { anyOf, msg, sentences, verbatim, type Message } from "../../../base/message.ts";
import { inlineCode } from "../../inlineCode.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ConfEntry } from "../parse/confDocument.ts";
import { documentationOf } from "../catalogue/documentation.ts";
import { entrySentence, unitWord } from "../catalogue/entryWords.ts";
import { familyFinder } from "../catalogue/families.ts";
import type { KeyFacts } from "../catalogue/keyFacts.ts";
import { knowledgeOf, type Knowledge } from "../catalogue/knowledge.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import type { Range } from "../values/valueType.ts";
import { keyFinder } from "../nearest/keys.ts";
import { isPlaceholder } from "../values/placeholders.ts";
import { readKeyValue } from "../values/readValue.ts";

/** The hover text of a setting. */
export interface Hover {
  readonly span: Span;
  /** Markdown, one item per paragraph. */
  readonly paragraphs: readonly Message[];
}

/** Returns the hover for the setting at an offset, for this Spark version; undefined if there is none. */
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
  return { span, paragraphs: [verbatim(`**${inlineCode(entry.key)}**`), ...paragraphs] };
}

function describe(
  { key, value }: ConfEntry,
  knowledge: Knowledge,
  catalogue: Catalogue,
  version: SparkVersion,
): readonly Message[] {
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
        msg`A key of the form ${inlineCode(pattern)}, with a name that you choose.`,
      ];
    }
    case "future":
      return [msg`Requires Spark ${knowledge.first} or later. This file is for Spark ${version}.`];
    case "gone":
      return [msg`Last supported in Spark ${knowledge.last}. This file is for Spark ${version}.`];
    case "unknown":
      return key.startsWith("spark.") ? [unknownWords(key, catalogue, version)] : [];
    case "foreign":
    case "template":
      return [];
  }
}

function unknownWords(key: string, catalogue: Catalogue, version: SparkVersion): Message {
  const near = keyFinder(catalogue, version).nearest(key).map(inlineCode);
  return near.length === 0
    ? msg`Unknown key in Spark ${version}.`
    : msg`Unknown key in Spark ${version}. Did you mean ${anyOf(near)}? The quick fix renames it.`;
}

/** Returns the description of the first name that has one. Empty if none has. */
function descriptionOf(
  catalogue: Catalogue,
  ...names: readonly (string | undefined)[]
): readonly Message[] {
  for (const name of names) {
    const description = name === undefined ? undefined : catalogue.descriptionOf(name);
    if (description !== undefined) return [description];
  }
  return [];
}

// Returns a link to Spark's documentation. Empty for internal keys and connector keys, which it does not list.
const linkTo = ({ key, entry }: KeyFacts, version: SparkVersion): readonly Message[] =>
  entry?.isPublic === true && !entry.isConnector
    ? [msg`[Documentation of Spark ${version}](${documentationOf(key, version)})`]
    : [];

function factWords({ entry, oldName, deprecated, removed }: KeyFacts): readonly Message[] {
  const words: Message[] = [];
  if (entry !== undefined) {
    words.push(entrySentence(entry));
    const { choices, range } = entry.type;
    if (choices !== undefined)
      words.push(msg`One of ${choices.values.map(inlineCode).join(", ")}.`);
    if (range !== undefined) words.push(...rangeWords(range));
    if (entry.prepended !== undefined)
      words.push(msg`Spark prepends ${inlineCode(entry.prepended)}.`);
    if (entry.sql === "static")
      words.push(msg("Set it before the session starts. It cannot be changed later."));
  }
  if (oldName !== undefined) words.push(msg`An old name of ${inlineCode(oldName.of)}.`);
  if (deprecated !== undefined) {
    const since = msg`Deprecated since Spark ${deprecated.since}.`;
    words.push(sentences([since, useInstead(deprecated.successor)]));
  }
  if (removed !== undefined) {
    const since = msg`Removed in Spark ${removed.since}.`;
    words.push(sentences([since, useInstead(removed.successor)]));
  }
  return words;
}

function rangeWords({ min, max, minExcluded, maxExcluded }: Range): readonly Message[] {
  if (min === undefined) {
    if (max === undefined) return [];
    return [maxExcluded ? msg`Less than ${max}.` : msg`At most ${max}.`];
  }
  const low = minExcluded ? msg`More than ${min}` : msg`At least ${min}`;
  if (max === undefined) return [msg`${low}.`];
  return [msg`${low}, ${maxExcluded ? msg`less than ${max}` : msg`at most ${max}`}.`];
}

const useInstead = (successor: string | undefined): Message | undefined =>
  successor === undefined ? undefined : msg`Use ${inlineCode(successor)}.`;

/** Describes a time or size in the unit that Spark uses. Returns nothing for other types and for invalid values. */
function valueWords(
  catalogue: Catalogue,
  facts: KeyFacts,
  value: string,
  version: SparkVersion,
): readonly Message[] {
  const type = facts.entry?.type;
  if (type?.kind !== "time" && type?.kind !== "bytes") return [];
  const read = readKeyValue(catalogue, facts, value, version);
  if (typeof read !== "bigint") return [];
  return [msg`${inlineCode(value)} is ${String(read)} ${unitWord(type.unit)}.`];
}
