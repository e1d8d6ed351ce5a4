import { msg, type Message } from "../../../base/message.ts";
import type { Span } from "../../../base/span.ts";
import { openCatalogue, type Catalogue } from "../catalogue/catalogue.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import type { ConfDocument, Directive } from "../parse/confDocument.ts";
import { severityIn, type SeverityChoices } from "../parse/directives.ts";
import { codeAndSeverityOf } from "../rules/numbered/codes.ts";
import type { Finding, Severity } from "./finding.ts";
import { describeFinding } from "./findingWords.ts";
import { linterFor, type Linter } from "./lintConf.ts";

/** A finding with its message. */
export interface ConfDiagnostic {
  readonly span: Span;
  /** The code of the numbered rule that covers the finding, or else the finding's own code. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: Message;
  /** Additional rendering in the editor: `deprecated` is struck through, `unnecessary` is faded. */
  readonly look: "deprecated" | "unnecessary" | undefined;
  /** The finding itself, for quick fixes. */
  readonly finding: Finding;
  readonly related: { readonly span: Span; readonly message: Message } | undefined;
}

/**
 * Diagnoses documents of any surface for any version. Returns the findings sorted by position, without those whose
 * severity is `off`.
 */
export type Diagnoser = (
  document: ConfDocument,
  version: SparkVersion,
  choices: SeverityChoices,
  directives?: readonly Directive[],
) => readonly ConfDiagnostic[];

export function diagnoserOf(catalogue: Catalogue = openCatalogue()): Diagnoser {
  const linters = new Map<SparkVersion, Linter>();
  const linterOf = (version: SparkVersion): Linter => {
    const linter = linters.get(version) ?? linterFor(catalogue, version);
    linters.set(version, linter);
    return linter;
  };
  return (document, version, choices, directives = []) => {
    const findings = linterOf(version)(document);
    if (findings.length === 0) return [];
    const severityAt = severityIn(document.entries, directives, choices);
    return findings
      .flatMap((finding): readonly ConfDiagnostic[] => {
        const { code, severity: own } = codeAndSeverityOf(finding, version);
        const severity = severityAt(code, finding.span.start, own);
        return severity === "off" ? [] : [diagnosticOf(finding, code, severity)];
      })
      .sort((a, b) => a.span.start - b.span.start);
  };
}

const diagnosticOf = (finding: Finding, code: string, severity: Severity): ConfDiagnostic => ({
  span: finding.span,
  code,
  severity,
  message: describeFinding(finding),
  look: lookOf(finding),
  finding,
  related:
    finding.code === "duplicate-key"
      ? { span: finding.last, message: msg("This setting takes effect.") }
      : undefined,
});

function lookOf({ code }: Finding): ConfDiagnostic["look"] {
  if (code === "deprecated-key" || code === "old-name") return "deprecated";
  return code === "duplicate-key" ? "unnecessary" : undefined;
}
