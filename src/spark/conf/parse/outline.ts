import type { Span } from "../../../base/span.ts";
import { parseProperties } from "./properties.ts";

/** A setting of a properties file, for the outline view. */
export interface OutlineItem {
  readonly key: string;
  /** The value. Empty if the key looks like that of a secret. */
  readonly value: string;
  readonly span: Span;
  readonly keySpan: Span;
}

const secretWord = /secret|password|token|access[.]?key|credential/i;

/** Returns the settings of a properties file, in text order. */
export const outlineOf = (text: string): readonly OutlineItem[] =>
  parseProperties(text).entries.map(({ key, value, keySpan, valueSpan }) => ({
    key,
    value: secretWord.test(key) ? "" : value,
    span: { start: keySpan.start, end: Math.max(keySpan.end, valueSpan.end) },
    keySpan,
  }));

export interface FoldingRange {
  readonly span: Span;
  readonly kind: "comment" | "region";
}

/** Returns folding ranges: multi-line comments, blocks between empty lines, continued settings. */
export function foldsOf(text: string): readonly FoldingRange[] {
  const folds: FoldingRange[] = [];
  let block: Span | undefined;
  let comment: Span | undefined;
  const end = (kind: FoldingRange["kind"], open: Span | undefined): void => {
    // Excludes the last character, because a piece includes its line terminator.
    const span = open && { start: open.start, end: Math.max(open.start, open.end - 1) };
    if (span !== undefined && text.slice(span.start, span.end).includes("\n"))
      folds.push({ span, kind });
  };
  for (const { kind, span } of parseProperties(text).pieces) {
    if (kind !== "comment") {
      end("comment", comment);
      comment = undefined;
    } else comment = { start: comment?.start ?? span.start, end: span.end };
    if (kind === "blank") {
      end("region", block);
      block = undefined;
    } else block = { start: block?.start ?? span.start, end: span.end };
    if (kind === "entry") end("region", span);
  }
  end("comment", comment);
  end("region", block);
  return folds;
}
