import type { ConfDocument, ConfEntry } from "./confDocument.ts";
import type { Finding } from "./finding.ts";
import type { Linter } from "./lintConf.ts";

interface Judged {
  readonly document: ConfDocument;
  readonly findings: readonly Finding[];
}

/**
 * The same findings as of that linter. Where the very entries of a document were judged before, in the light of
 * the same facts, nothing is judged again: of a program's thousands of statements a change concerns one.
 */
export function rememberedFindings(lint: Linter): Linter {
  const known = new WeakMap<readonly ConfEntry[], Judged>();
  return (document) => {
    const before = known.get(document.entries);
    if (before !== undefined && isSame(before.document, document)) return before.findings;
    const findings = lint(document);
    known.set(document.entries, { document, findings });
    return findings;
  };
}

// What else a document is judged by.
const isSame = (one: ConfDocument, other: ConfDocument): boolean =>
  one.application === other.application &&
  one.elsewhere === other.elsewhere &&
  (one.findings === other.findings || one.findings.length + other.findings.length === 0);
