import type { Span } from "../../base/span.ts";
import type { ApplicationFacts } from "./applicationFacts.ts";
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
  const factsOf = factsWriter();
  return (document) => {
    const first = document.entries[0];
    if (first === undefined || !isRemembered(document)) return lint(document);
    const base = first.keySpan.start;
    const content = contentOf(document.entries, factsOf(document.application), base);
    const before = known.get(content);
    if (before?.length === 0) return before;
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
function contentOf(entries: readonly ConfEntry[], facts: string, base: number): string {
  let content = facts;
  for (const { key, value, keySpan, valueSpan, field = "" } of entries) {
    const places = `${keySpan.start - base} ${keySpan.end - base} ${valueSpan.start - base}`;
    content += `\0${key}\n${value}\n${field}\n${places} ${valueSpan.end - base}`;
  }
  return content;
}

// The documents of a text share what is known of the application.
function factsWriter(): (application: ApplicationFacts | undefined) => string {
  let last: ApplicationFacts | undefined;
  let written = "";
  return (application) => {
    if (application === undefined) return "";
    if (application !== last) {
      last = application;
      written = JSON.stringify({ ...application, uses: [...(application.uses ?? [])] });
    }
    return written;
  };
}

function moved(finding: Finding, by: number): Finding {
  const move = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  const span = move(finding.span);
  return finding.code === "duplicate-key"
    ? { ...finding, span, last: move(finding.last) }
    : { ...finding, span };
}
