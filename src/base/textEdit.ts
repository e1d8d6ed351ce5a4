import type { Span } from "./span.ts";

/** Replaces the text of a span. An empty span inserts the text. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** Applies all edits and returns the new text. The edits must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { span, text: own } of edits.toSorted((a, b) => a.span.start - b.span.start)) {
    pieces.push(text.slice(done, span.start), own);
    done = span.end;
  }
  return pieces.join("") + text.slice(done);
}

/**
 * Returns the changes in their order. Leaves out a change if one of its edits touches an edit of an earlier returned
 * change.
 */
export function withoutOverlap<T extends { readonly edits: readonly TextEdit[] }>(
  changes: readonly T[],
): readonly T[] {
  const taken: Span[] = [];
  return changes.filter(({ edits }) => {
    const isFree = edits.every(({ span }) =>
      taken.every(({ start, end }) => span.end < start || end < span.start),
    );
    if (isFree) taken.push(...edits.map(({ span }) => span));
    return isFree;
  });
}
