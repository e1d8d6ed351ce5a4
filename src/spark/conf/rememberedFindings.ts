import type { ConfEntry, EntryStretch, ReadDocument } from "./confDocument.ts";
import type { FoundTogether, Linter } from "./lintConf.ts";

interface Judged {
  readonly document: ReadDocument;
  readonly found: readonly FoundTogether[];
}

/**
 * The same findings as that linter's. Where the very entries of a document were judged before, in the light of
 * the same facts, nothing is judged again: of a program's thousands of statements a change concerns one.
 */
export function rememberedFindings(find: Linter["find"]): Linter["find"] {
  const known = new WeakMap<readonly (ConfEntry | EntryStretch)[], Judged>();
  return (document) => {
    const settings = document.stretches ?? document.entries;
    const before = known.get(settings);
    if (before !== undefined && isSame(before.document, document)) return before.found;
    const found = find(document);
    known.set(settings, { document, found });
    return found;
  };
}

// What else a document is judged by.
const isSame = (one: ReadDocument, other: ReadDocument): boolean =>
  one.entries === other.entries &&
  one.application === other.application &&
  one.elsewhere === other.elsewhere &&
  (one.findings === other.findings || one.findings.length + other.findings.length === 0);
