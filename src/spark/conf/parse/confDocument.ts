import { moveSpan, type Span } from "../../../base/span.ts";
import type { ApplicationFacts } from "../catalogue/applicationFacts.ts";
import type { Finding } from "../lint/finding.ts";

/** A setting in a document of any surface. */
export interface ConfEntry {
  /** The key as Spark reads it: escapes resolved, continuation lines joined. */
  readonly key: string;
  readonly value: string;
  /** The span of the key, escapes included. */
  readonly keySpan: Span;
  /** The span of the value; an empty span after the key if there is none. */
  readonly valueSpan: Span;
  /** The manifest field that sets the key. Undefined if the document contains the key itself. */
  readonly field?: string;
  /** The option of spark-submit that sets the key, such as `--name`. It overrides a `--conf` entry of the key. */
  readonly option?: string;
}

/** A directive comment: the text after `spark-k8s:` or `spark-k8s-next:`. */
export interface Directive {
  readonly text: string;
  /** The offset after the comment. With `isForNext`, the directive applies to the first entry from here on. */
  readonly end: number;
  readonly isForNext: boolean;
}

/** A parsed document: its settings and its syntax findings. A later setting of a key overrides an earlier one. */
export interface ConfDocument {
  readonly entries: readonly ConfEntry[];
  readonly findings: readonly Finding[];
  /** The Spark version that the document names, as written. */
  readonly sparkVersion?: string;
  readonly application?: ApplicationFacts;
  /**
   * Paths of properties files that the document names; later ones override earlier ones, and its
   * own settings override all.
   */
  readonly propertiesFiles?: readonly string[];
  /**
   * Settings with lower precedence than the document's own: from a properties file that it names,
   * or from an operator. Their spans do not refer to this text, and no finding is reported at them.
   */
  readonly elsewhere?: readonly ConfEntry[];
}

/** Returns the effective value of a key as written in the document: the last setting wins. */
export const lastValue = (document: ConfDocument, key: string): string | undefined =>
  document.entries.findLast((entry) => entry.key === key)?.value;

export function moveEntry(entry: ConfEntry, by: number): ConfEntry {
  return {
    ...entry,
    keySpan: moveSpan(entry.keySpan, by),
    valueSpan: moveSpan(entry.valueSpan, by),
  };
}

/** Returns the span of the key's characters from `start` to `end`; the span of the key if it contains escapes. */
export function spanInKey({ key, keySpan }: ConfEntry, start: number, end: number): Span {
  if (keySpan.end - keySpan.start !== key.length) return keySpan;
  return { start: keySpan.start + start, end: keySpan.start + end };
}
