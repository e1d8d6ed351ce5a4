import assert from "node:assert/strict";
import type { Span } from "../../src/base/span.ts";
import { applyEdits, type TextEdit } from "../../src/base/textEdit.ts";

export function assertSpansInside(text: string, spans: Iterable<Span>): void {
  for (const { start, end } of spans) {
    assert.ok(
      0 <= start && start <= end && end <= text.length,
      `a span from ${start} to ${end} in a text of ${text.length}`,
    );
  }
}

/** Applies the edits. Throws if one lies outside the text or overlaps another. */
export function editedText(text: string, edits: readonly TextEdit[]): string {
  assertSpansInside(
    text,
    edits.map(({ span }) => span),
  );
  const sorted = edits.toSorted((a, b) => a.span.start - b.span.start);
  for (const [at, { span }] of sorted.entries()) {
    const next = sorted[at + 1]?.span.start ?? text.length;
    assert.ok(span.end <= next, `edits overlap at ${next}`);
  }
  return applyEdits(text, edits);
}

/** Control characters except the tab, and bidirectional marks. */
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

export function assertNoControls(text: string): void {
  const found = controls.exec(text);
  assert.equal(found, null, `a control character at ${found?.index ?? 0}`);
}

/** Splits bytes into chunks, each a copy. The sizes depend only on the number of bytes. */
export function chunksOf(bytes: Buffer): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let turn = bytes.length % 7;
  for (let at = 0; at < bytes.length; turn += 1) {
    const size = bytes.length > 20_000 ? 1_021 + turn : [1, 3, 17, 2, 64, 5, 400][turn % 7];
    chunks.push(Buffer.from(bytes.subarray(at, at + (size ?? 1))));
    at += size ?? 1;
  }
  return chunks;
}
