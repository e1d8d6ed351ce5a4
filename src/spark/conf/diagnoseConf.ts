import { moveSpan, type Span } from "../../base/span.ts";
import { openCatalogue, type Catalogue } from "./catalogue.ts";
import {
  moveDocument,
  type Directive,
  type PlacedDocument,
  type ReadDocument,
} from "./confDocument.ts";
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
  /** What it is about, for who would mend it. */
  readonly finding: Finding;
  /** Another place that has to do with it. */
  readonly related: { readonly span: Span; readonly message: string } | undefined;
}

/** Judges documents of any surface for any version. */
export interface Diagnoser {
  readonly diagnose: (
    placed: PlacedDocument,
    version: SparkVersion,
    choices: SeverityChoices,
    directives?: readonly Directive[],
  ) => readonly ConfDiagnostic[];
  /** What takes long the first time, a little of it at each step. */
  readonly steps: (document: ReadDocument, version: SparkVersion) => Iterable<void>;
}

export function diagnoserOf(catalogue: Catalogue = openCatalogue()): Diagnoser {
  const judges = new Map<SparkVersion, Judge>();
  const judge = (version: SparkVersion): Judge => {
    const known = judges.get(version) ?? judgeFor(catalogue, version);
    judges.set(version, known);
    return known;
  };
  return {
    diagnose: (placed, version, choices, directives = []) => {
      const { find, describe } = judge(version);
      const found = find(placed.document);
      if (found.length === 0) return [];
      const entries = directives.length === 0 ? [] : moveDocument(placed).entries;
      const severityAt = severityIn(entries, directives, choices);
      const diagnostics: ConfDiagnostic[] = [];
      for (const { at, findings } of found) {
        for (const described of describe(findings)) {
          const diagnostic = moveDiagnostic(described, placed.at + at);
          const { code, span } = diagnostic;
          const severity = severityAt(code, span.start, diagnostic.severity);
          if (severity === diagnostic.severity) diagnostics.push(diagnostic);
          else if (severity !== "off") diagnostics.push({ ...diagnostic, severity });
        }
      }
      return diagnostics.sort((a, b) => a.span.start - b.span.start);
    },
    *steps(document, version) {
      const { linter, find, describe } = judge(version);
      yield;
      yield* linter.steps(document);
      for (const { findings } of find(document)) {
        describe(findings);
        yield;
      }
    },
  };
}

interface Judge {
  readonly linter: Linter;
  readonly find: Linter["find"];
  /** With their places as they are; the severity is the finding's own. */
  readonly describe: (findings: readonly Finding[]) => readonly ConfDiagnostic[];
}

function judgeFor(catalogue: Catalogue, version: SparkVersion): Judge {
  const linter = linterFor(catalogue, version);
  const known = new WeakMap<readonly Finding[], readonly ConfDiagnostic[]>();
  const describe = (findings: readonly Finding[]): readonly ConfDiagnostic[] => {
    const described = known.get(findings) ?? findings.map((one) => toDiagnostic(one, version));
    known.set(findings, described);
    return described;
  };
  return { linter, find: rememberedFindings(linter.find), describe };
}

const toDiagnostic = (finding: Finding, version: SparkVersion): ConfDiagnostic => ({
  span: finding.span,
  ...gradeOf(finding, version),
  message: describeFinding(finding),
  look: lookOf(finding),
  finding,
  related:
    finding.code === "duplicate-key"
      ? { span: finding.last, message: "This setting counts." }
      : undefined,
});

function moveDiagnostic(diagnostic: ConfDiagnostic, by: number): ConfDiagnostic {
  if (by === 0) return diagnostic;
  const { code, severity, message, look } = diagnostic;
  const finding = moveFinding(diagnostic.finding, by);
  const related = diagnostic.related && {
    span: moveSpan(diagnostic.related.span, by),
    message: diagnostic.related.message,
  };
  return { span: finding.span, code, severity, message, look, finding, related };
}

function lookOf({ code }: Finding): ConfDiagnostic["look"] {
  if (code === "deprecated-key" || code === "old-name") return "deprecated";
  return code === "duplicate-key" ? "unnecessary" : undefined;
}
