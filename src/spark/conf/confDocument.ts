import { moveSpan, type Span } from "../../base/span.ts";
import type { ApplicationFacts } from "./applicationFacts.ts";
import { moveFinding, type Finding } from "./finding.ts";

/** A setting as it stands in a document, whatever kind of document that is. */
export interface ConfEntry {
  /** As Spark sees it: escapes resolved, continued lines joined. */
  readonly key: string;
  readonly value: string;
  /** Where the key stands, escapes and all. */
  readonly keySpan: Span;
  /** Where the value stands; of no length, behind the key, if there is none. */
  readonly valueSpan: Span;
  /** The field of a manifest that stands for the key, where it is not written as a key. */
  readonly field?: string;
  /** The option of a command that stands for the key, and counts more than the key itself. */
  readonly option?: string;
}

/** A comment of the document that is meant for us: what stands behind `spark-k8s:` or `spark-k8s-next:`. */
export interface Directive {
  readonly text: string;
  /** Where the comment ends: it holds for the next entry, or for the whole document. */
  readonly end: number;
  readonly isForNext: boolean;
}

/** What a surface makes of a document: the settings in order, and what is wrong with the writing itself. */
export interface ConfDocument {
  readonly entries: readonly ConfEntry[];
  readonly findings: readonly Finding[];
  /** The version of Spark that the document itself names, as it is written there. */
  readonly sparkVersion?: string;
  readonly application?: ApplicationFacts;
  /** Paths of properties files that the document names; later ones count more, and its own settings most. */
  readonly propertiesFiles?: readonly string[];
  /**
   * Settings that hold where the document says nothing of the key: those of a properties file that it names,
   * or of an operator. Their spans are no places of this text, and nothing is found at them.
   */
  readonly elsewhere?: readonly ConfEntry[];
}

/** Settings that stand together, their places counted from one of the document. */
export interface EntryStretch {
  readonly at: number;
  readonly entries: readonly ConfEntry[];
}

/**
 * A document as it is read. Of a long one the settings come stretch by stretch, before those in `entries`: where a
 * change of the text did not concern a stretch, its settings are the very same, wherever they stand now.
 */
export interface ReadDocument extends ConfDocument {
  readonly stretches?: readonly EntryStretch[];
}

/** A document whose places are counted from one of the text. */
export interface PlacedDocument {
  readonly at: number;
  readonly document: ReadDocument;
}

/** All settings of a document in order, none of them moved. */
export const stretchesOf = ({ stretches = [], entries }: ReadDocument): readonly EntryStretch[] =>
  [...stretches, { at: 0, entries }].filter((one) => one.entries.length > 0);

/** The value of a key that counts, as it is written in the document itself. */
export function lastValue(document: ReadDocument, key: string): string | undefined {
  for (const { entries } of stretchesOf(document).toReversed()) {
    const found = entries.findLast((entry) => entry.key === key);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

export function moveEntry(entry: ConfEntry, by: number): ConfEntry {
  const { key, value, keySpan, valueSpan, field, option } = entry;
  const plain = { key, value, keySpan: moveSpan(keySpan, by), valueSpan: moveSpan(valueSpan, by) };
  if (field === undefined && option === undefined) return plain;
  return { ...entry, ...plain };
}

export const moveEntries = (entries: readonly ConfEntry[], by: number): readonly ConfEntry[] =>
  by === 0 ? entries : entries.map((entry) => moveEntry(entry, by));

/** The document with all its settings, and its places counted from where the text begins. */
export function moveDocument({ at, document }: PlacedDocument): ConfDocument {
  const { stretches, ...rest } = document;
  if (at === 0 && stretches === undefined) return document;
  const { findings, application, elsewhere } = document;
  const place = application?.place;
  return {
    ...rest,
    entries: stretchesOf(document).flatMap((one) => moveEntries(one.entries, one.at + at)),
    findings: findings.map((finding) => moveFinding(finding, at)),
    ...(place === undefined ? {} : { application: { ...application, place: moveSpan(place, at) } }),
    ...(elsewhere === undefined ? {} : { elsewhere: moveEntries(elsewhere, at) }),
  };
}

/** The span of a part of the key; the whole key where escapes hide which characters those are. */
export function spanInKey({ key, keySpan }: ConfEntry, start: number, end: number): Span {
  if (keySpan.end - keySpan.start !== key.length) return keySpan;
  return { start: keySpan.start + start, end: keySpan.start + end };
}
