import type { Span } from "../../../base/span.ts";
import { msg, type Message } from "../../../base/message.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ConfEntry } from "../parse/confDocument.ts";
import { describeEntry } from "../catalogue/entryWords.ts";
import { keyFamilies, isRead } from "../catalogue/families.ts";
import type { EntryFacts } from "../catalogue/keyFacts.ts";
import { parseProperties, type PropertiesDocument } from "../parse/properties.ts";
import { shippedValues } from "../values/shippedValues.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";

export interface CompletionProposal {
  readonly kind: "key" | "family" | "value";
  readonly label: string;
  readonly text: string;
  /** A snippet to insert instead of `text`, with placeholders such as `${1:name}`. */
  readonly snippet?: string;
  readonly detail: Message | undefined;
  /** One or two sentences of documentation. */
  readonly description: Message | undefined;
  readonly replaces: Span;
  readonly isDeprecated: boolean;
  /** Lower ranks sort first. */
  readonly rank: number;
}

/** Returns completions at an offset of a properties file. */
export function completeProperties(
  text: string,
  offset: number,
  catalogue: Catalogue,
  version: SparkVersion,
): readonly CompletionProposal[] {
  const place = placeAt(text, offset, parseProperties(text));
  switch (place.kind) {
    case "key":
      return keys(place.replaces, place.isAlone ? " " : "", catalogue, version);
    case "value": {
      const entry = catalogue.find(place.key, version)?.entry;
      return entry === undefined ? [] : values(place.key, entry, place.replaces);
    }
    case "nothing":
      return [];
  }
}

/** Returns completions at an offset on any surface. Proposals for a key without a value append `behind` to the key. */
export function completeEntries(
  entries: readonly ConfEntry[],
  offset: number,
  behind: string,
  catalogue: Catalogue,
  version: SparkVersion,
): readonly CompletionProposal[] {
  const isIn = ({ start, end }: Span): boolean => start <= offset && offset <= end;
  for (const { key, keySpan, valueSpan } of entries) {
    if (isIn(keySpan)) {
      const isAlone = valueSpan.start === valueSpan.end && valueSpan.start === keySpan.end;
      return keys(keySpan, isAlone ? behind : "", catalogue, version);
    }
    if (!isIn(valueSpan)) continue;
    const entry = catalogue.find(key, version)?.entry;
    return entry === undefined ? [] : values(key, entry, valueSpan);
  }
  return [];
}

type Place =
  | { readonly kind: "key"; readonly replaces: Span; readonly isAlone: boolean }
  | { readonly kind: "value"; readonly replaces: Span; readonly key: string }
  | { readonly kind: "nothing" };

function placeAt(text: string, offset: number, { pieces, entries }: PropertiesDocument): Place {
  const here = { start: offset, end: offset };
  const piece = pieces.find(({ span }) => span.start <= offset && offset < span.end);
  const last = pieces.at(-1);
  const isInLast = piece === undefined && last !== undefined && !/[\r\n]$/.test(text);
  const found = piece ?? (isInLast ? last : undefined);
  if (found?.kind === "comment") return { kind: "nothing" };
  if (found?.kind !== "entry") return { kind: "key", replaces: here, isAlone: true };
  const { start, end } = found.span;
  const entry = entries.find(({ keySpan }) => keySpan.start >= start && keySpan.start < end);
  if (entry === undefined || offset < entry.keySpan.start) return { kind: "nothing" };
  if (offset > entry.keySpan.end)
    return { kind: "value", key: entry.key, replaces: valueAt(entry, here) };
  const isAlone = text.slice(entry.keySpan.end, end).trim() === "";
  return { kind: "key", replaces: entry.keySpan, isAlone };
}

const valueAt = ({ valueSpan }: ConfEntry, here: Span): Span =>
  valueSpan.start <= here.start && here.start <= valueSpan.end ? valueSpan : here;

// Common keys for which Spark declares no entry, with their descriptions.
const namesWithoutEntry: Readonly<Record<string, Message>> = {
  "spark.master": msg("where the application runs, such as k8s://https://host:6443"),
  "spark.app.name": msg("name of the application"),
  "spark.local.dir": msg("directories for scratch files"),
  "spark.logConf": msg("true or false"),
  "spark.driver.defaultJavaOptions": msg("prepended to spark.driver.extraJavaOptions"),
  "spark.executor.defaultJavaOptions": msg("prepended to spark.executor.extraJavaOptions"),
  "spark.files.overwrite": msg("true or false"),
  "spark.files.useFetchCache": msg("true or false"),
  "spark.port.maxRetries": msg("integer"),
};

function keys(
  replaces: Span,
  behind: string,
  catalogue: Catalogue,
  version: SparkVersion,
): readonly CompletionProposal[] {
  const proposals: CompletionProposal[] = [];
  for (const { key, entry, deprecated } of catalogue.keys(version)) {
    const detail = entry === undefined ? namesWithoutEntry[key] : describeEntry(entry);
    if (detail === undefined) continue;
    const isDeprecated = deprecated !== undefined;
    const rank = isDeprecated ? 2 : entry?.isPublic === false ? 1 : 0;
    proposals.push({
      kind: "key",
      label: key,
      text: key + behind,
      detail,
      description: catalogue.descriptionOf(key),
      replaces,
      isDeprecated,
      rank,
    });
  }
  const heads = new Map<string, string>();
  for (const family of keyFamilies) {
    const head = fixedPart(family.pattern);
    if (isRead(family, version) && !heads.has(head)) heads.set(head, family.pattern);
  }
  for (const [head, pattern] of heads) {
    const isOpen = head.endsWith(".");
    proposals.push({
      kind: isOpen ? "family" : "key",
      label: isOpen ? `${head}…` : head,
      text: isOpen ? head : head + behind,
      ...(isOpen ? { snippet: snippetOf(pattern, behind) } : {}),
      detail: isOpen ? msg("keys with a name that you choose") : msg("text"),
      description: catalogue.descriptionOf(pattern),
      replaces,
      isDeprecated: false,
      rank: 0,
    });
  }
  return proposals;
}

/** Converts a key pattern to a snippet with a placeholder for each variable part and, after `behind`, for the value. */
function snippetOf(pattern: string, behind: string): string {
  let place = 0;
  const key = pattern.replaceAll(/<(\w+)>|\*/g, (_whole, name: string | undefined) => {
    place += 1;
    return name === "type"
      ? `\${${place}|persistentVolumeClaim,emptyDir,hostPath,nfs|}`
      : `\${${place}:${name ?? "name"}}`;
  });
  return behind === "" ? key : `${key}${behind}\${${place + 1}:value}`;
}

const fixedPart = (pattern: string): string => pattern.split(/[<*]/)[0] ?? pattern;

function values(
  key: string,
  { type, default: usual }: EntryFacts,
  replaces: Span,
): readonly CompletionProposal[] {
  const offered =
    type.kind === "boolean"
      ? ["true", "false"]
      : (type.choices?.values ?? shippedValues.get(key) ?? []);
  const isUsual = (value: string): boolean => value.toLowerCase() === usual?.toLowerCase();
  return offered.map((value) => ({
    kind: "value",
    label: value,
    text: value,
    detail: isUsual(value) ? msg("default") : undefined,
    description: undefined,
    replaces,
    isDeprecated: false,
    rank: 0,
  }));
}
