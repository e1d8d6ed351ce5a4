import { assertNever } from "../../../base/assertNever.ts";
import { listed, msg, verbatim, type Message } from "../../../base/message.ts";
import type { EntryFacts } from "./keyFacts.ts";
import type { ValueType } from "../values/valueType.ts";

/** Describes an entry in one line: kind, default, and the version that introduced it. */
export const describeEntry = (entry: EntryFacts): Message => lineOf(entry, kindPhrase(entry.type));

/** As `describeEntry`, but as a complete sentence. */
export const entrySentence = (entry: EntryFacts): Message =>
  msg`${lineOf(entry, kindOpening(entry.type))}.`;

const lineOf = (
  { default: usual, fallback, since, isPublic }: EntryFacts,
  kind: Message,
): Message =>
  listed([
    kind,
    fallback !== undefined
      ? msg`default: value of ${fallback}`
      : usual !== undefined && usual !== ""
        ? msg`default: ${usual}`
        : undefined,
    since === undefined ? undefined : msg`since ${since}`,
    isPublic ? undefined : msg("internal"),
  ]);

function kindPhrase(type: ValueType): Message {
  if (type.choices !== undefined)
    return type.kind === "list" ? msg("list of choices") : msg("choice");
  switch (type.kind) {
    case "boolean":
      return msg("true or false");
    case "int":
    case "long":
      return msg("integer");
    case "double":
    case "decimal":
      return msg("number");
    case "string":
      return msg("text");
    case "regex":
      return msg("regular expression");
    case "time":
      return msg`time in ${unitWord(type.unit)}`;
    case "bytes":
      return msg`size in ${unitWord(type.unit)}`;
    case "list":
      return msg("list");
    default:
      return assertNever(type);
  }
}

/** As `kindPhrase`, at the start of a sentence. */
function kindOpening(type: ValueType): Message {
  if (type.choices !== undefined)
    return type.kind === "list" ? msg("List of choices") : msg("Choice");
  switch (type.kind) {
    case "boolean":
      return msg("True or false");
    case "int":
    case "long":
      return msg("Integer");
    case "double":
    case "decimal":
      return msg("Number");
    case "string":
      return msg("Text");
    case "regex":
      return msg("Regular expression");
    case "time":
      return msg`Time in ${unitWord(type.unit)}`;
    case "bytes":
      return msg`Size in ${unitWord(type.unit)}`;
    case "list":
      return msg("List");
    default:
      return assertNever(type);
  }
}

/** Returns the localized name of a time or size unit. Returns other units, such as `MiB`, unchanged. */
export const unitWord = (unit: string): Message => unitWords[unit] ?? verbatim(unit);

const unitWords: Readonly<Record<string, Message>> = {
  BYTE: msg("bytes"),
  nanoseconds: msg("nanoseconds"),
  milliseconds: msg("milliseconds"),
  seconds: msg("seconds"),
  minutes: msg("minutes"),
};
