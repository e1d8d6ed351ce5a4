import { moveSpan, type Span } from "../../../base/span.ts";
import type { ApplicationFacts } from "../catalogue/applicationFacts.ts";
import type { Finding } from "../lint/finding.ts";

/** A setting in a document of any surface. */
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

/** A parsed document: its settings in order and its syntax findings. */
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

/** The effective value of a key as the document writes it: the last setting counts. */
export const lastValue = (document: ConfDocument, key: string): string | undefined =>
  document.entries.findLast((entry) => entry.key === key)?.value;

export function moveEntry(entry: ConfEntry, by: number): ConfEntry {
  return {
    ...entry,
    keySpan: moveSpan(entry.keySpan, by),
    valueSpan: moveSpan(entry.valueSpan, by),
  };
}

/** The span of a part of the key; the whole key where escapes hide which characters those are. */
export function spanInKey({ key, keySpan }: ConfEntry, start: number, end: number): Span {
  if (keySpan.end - keySpan.start !== key.length) return keySpan;
  return { start: keySpan.start + start, end: keySpan.start + end };
}
