import type { Span } from "../../base/span.ts";
import type { ConfDocument, ConfEntry } from "./confDocument.ts";
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

// Of a whole application there are few, and places of its own hang on it.
const isRemembered = ({ entries, findings, application, elsewhere }: ConfDocument): boolean =>
  entries.length <= mostEntries &&
  findings.length === 0 &&
  elsewhere === undefined &&
  application?.isWhole === undefined &&
  application?.place === undefined;

// All that findings depend on, places told from where the document begins.
const contentOf = ({ entries, application = {} }: ConfDocument, base: number): string =>
  [JSON.stringify({ ...application, uses: [...(application.uses ?? [])] })]
    .concat(entriesText(entries, base))
    .join("\0");

const entriesText = (entries: readonly ConfEntry[], base: number): readonly string[] =>
  entries.map(({ key, value, keySpan, valueSpan, field = "" }) => {
    const places = [keySpan.start, keySpan.end, valueSpan.start, valueSpan.end];
    const away = places.map((place) => place - base).join(" ");
    return `${key}\n${value}\n${field}\n${away}`;
  });

function moved(finding: Finding, by: number): Finding {
  const move = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  const span = move(finding.span);
  return finding.code === "duplicate-key"
    ? { ...finding, span, last: move(finding.last) }
    : { ...finding, span };
}
