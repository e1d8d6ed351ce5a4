import type { ConfDocument, ConfEntry } from "./confDocument.ts";
import type { Finding } from "./finding.ts";
import type { Linter } from "./lintConf.ts";

interface Judged {
  readonly application: ConfDocument["application"];
  readonly findings: readonly Finding[];
}

/**
 * The same findings as of that linter. Where the very entries of a document were judged before, in the light of
 * the same facts, nothing is judged again: of a program's thousands of statements a change concerns one.
 */
export function rememberedFindings(lint: Linter): Linter {
  const known = new WeakMap<readonly ConfEntry[], Judged>();
  return (document) => {
    const { entries, findings, application, elsewhere } = document;
    if (findings.length > 0 || elsewhere !== undefined) return lint(document);
    const before = known.get(entries);
    if (before?.application === application && before !== undefined) return before.findings;
    const judged = { application, findings: lint(document) };
    known.set(entries, judged);
    return judged.findings;
  };
}
