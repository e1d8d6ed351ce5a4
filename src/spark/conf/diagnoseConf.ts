import type { Span } from "../../base/span.ts";
import { openCatalogue, type Catalogue } from "./catalogue.ts";
import { moveDocument, type Directive, type PlacedDocument } from "./confDocument.ts";
import { severityIn, type SeverityChoices } from "./directives.ts";
import { moveFinding, type Finding, type Severity } from "./finding.ts";
import { describeFinding } from "./findingWords.ts";
import { linterFor, type Linter } from "./lintConf.ts";
import { gradeOf } from "./rules/numbered/codes.ts";
import { rememberedFindings } from "./rememberedFindings.ts";
import type { SparkVersion } from "./sparkVersions.ts";

/** A finding in words. */
export interface ConfDiagnostic {
  readonly span: Span;
  /** That of a rule with a page, or a word that says what kind of finding it is. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** How the text may be shown besides: crossed out, or faded. */
  readonly look: "deprecated" | "unnecessary" | undefined;
  /** Another place that has to do with it. */
  /** What it is about, for who would mend it. */
  readonly finding: Finding;
  readonly related: { readonly span: Span; readonly message: string } | undefined;
}

/** Judges documents of any surface for any version. */
export type Diagnose = (
  placed: PlacedDocument,
  version: SparkVersion,
  choices: SeverityChoices,
  directives?: readonly Directive[],
) => readonly ConfDiagnostic[];

export function diagnoserOf(catalogue: Catalogue = openCatalogue()): Diagnose {
  const linters = new Map<SparkVersion, Linter>();
  const linter = (version: SparkVersion): Linter => {
    const lint = linters.get(version) ?? rememberedFindings(linterFor(catalogue, version));
    linters.set(version, lint);
    return lint;
  };
  return (placed, version, choices, directives = []) => {
    const found = linter(version)(placed.document);
    if (found.length === 0) return [];
    const { entries } = moveDocument(placed);
    const severityAt = severityIn(entries, directives, choices);
    return found.flatMap((unplaced) => {
      const finding = moveFinding(unplaced, placed.at);
      const { code, severity: own } = gradeOf(finding, version);
      const severity = severityAt(code, finding.span.start, own);
      return severity === "off" ? [] : [toDiagnostic(finding, code, severity)];
    });
  };
}

function toDiagnostic(finding: Finding, code: string, severity: Severity): ConfDiagnostic {
  return {
    span: finding.span,
    code,
    severity,
    message: describeFinding(finding),
    look: lookOf(finding),
    finding,
    related:
      finding.code === "duplicate-key"
        ? { span: finding.last, message: "This setting counts." }
        : undefined,
  };
}

function lookOf({ code }: Finding): ConfDiagnostic["look"] {
  if (code === "deprecated-key" || code === "old-name") return "deprecated";
  return code === "duplicate-key" ? "unnecessary" : undefined;
}
