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

/** A document whose places are counted from one of the text. */
export interface PlacedDocument {
  readonly at: number;
  readonly document: ConfDocument;
}

export function moveEntry(entry: ConfEntry, by: number): ConfEntry {
  const { key, value, keySpan, valueSpan, field, option } = entry;
  const plain = { key, value, keySpan: moveSpan(keySpan, by), valueSpan: moveSpan(valueSpan, by) };
  if (field === undefined && option === undefined) return plain;
  return { ...entry, ...plain };
}

/** The document with its places counted from where the text begins. */
export function moveDocument({ at, document }: PlacedDocument): ConfDocument {
  if (at === 0) return document;
  const { entries, findings, application, elsewhere } = document;
  const place = application?.place;
  return {
    ...document,
    entries: entries.map((entry) => moveEntry(entry, at)),
    findings: findings.map((finding) => moveFinding(finding, at)),
    ...(place === undefined ? {} : { application: { ...application, place: moveSpan(place, at) } }),
    ...(elsewhere === undefined
      ? {}
      : { elsewhere: elsewhere.map((entry) => moveEntry(entry, at)) }),
  };
}

/** The span of a part of the key; the whole key where escapes hide which characters those are. */
export function spanInKey({ key, keySpan }: ConfEntry, start: number, end: number): Span {
  if (keySpan.end - keySpan.start !== key.length) return keySpan;
  return { start: keySpan.start + start, end: keySpan.start + end };
}
