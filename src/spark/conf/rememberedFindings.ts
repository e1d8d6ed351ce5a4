import type { Span } from "../../base/span.ts";
import type { ConfDocument } from "./confDocument.ts";
import type { Finding } from "./finding.ts";
import type { Linter } from "./lintConf.ts";

/** A program has a document for each chain of calls, and a change concerns one of thousands. */
const mostDocuments = 20_000;
/** Larger documents are judged anew each time: there are few of them. */
const mostEntries = 40;

/** The same findings as of that linter; those of a document that was judged before are only moved. */
export function rememberedFindings(lint: Linter): Linter {
  const known = new Map<string, readonly Finding[]>();
  return (document) => {
    const first = document.entries[0];
    if (first === undefined || !isRemembered(document)) return lint(document);
    const base = first.keySpan.start;
    const content = contentOf(document, base);
    const before = known.get(content);
    if (before !== undefined) return before.map((finding) => moved(finding, base));
    if (known.size >= mostDocuments) known.clear();
    const findings = lint(document);
    known.set(
      content,
      findings.map((finding) => moved(finding, -base)),
    );
    return findings;
  };
}

// What is known besides its entries is not part of what it is recognized by.
const isRemembered = ({ entries, findings, application, elsewhere }: ConfDocument): boolean =>
  entries.length <= mostEntries &&
  findings.length === 0 &&
  application === undefined &&
  elsewhere === undefined;

// All that findings depend on, places told from where the document begins.
const contentOf = ({ entries }: ConfDocument, base: number): string =>
  entries
    .map(({ key, value, keySpan, valueSpan, field = "" }) => {
      const places = [keySpan.start, keySpan.end, valueSpan.start, valueSpan.end];
      const away = places.map((place) => place - base).join(" ");
      return `${key}\n${value}\n${field}\n${away}`;
    })
    .join("\0");

function moved(finding: Finding, by: number): Finding {
  const move = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  const span = move(finding.span);
  return finding.code === "duplicate-key"
    ? { ...finding, span, last: move(finding.last) }
    : { ...finding, span };
}
