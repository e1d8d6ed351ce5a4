import type { Span } from "../../base/span.ts";
import { openCatalogue } from "../../spark/conf/catalogue.ts";
import type { Proposal } from "../../spark/conf/completeConf.ts";
import { severityOf, type Finding, type Severity } from "../../spark/conf/finding.ts";
import { describeFinding } from "../../spark/conf/findingWords.ts";
import { linterFor, type Linter } from "../../spark/conf/lintConf.ts";
import type { Hover } from "../../spark/conf/hoverConf.ts";
import type { SparkVersion } from "../../spark/conf/sparkVersions.ts";
import { completeSurface } from "../../spark/surfaces/completeSurface.ts";
import { hoverSurface } from "../../spark/surfaces/hoverSurface.ts";
import { readSurface, type Surface } from "../../spark/surfaces/surfaces.ts";
import { versionOfDocument } from "../../spark/surfaces/versionOfDocument.ts";

/** What this module is to those who open it later. */
export interface ConfDoor {
  readonly openConf: () => ConfHelp;
}

/**
 * Help with settings wherever they are written. The version is that of a text which names none itself. Takes
 * any text.
 */
export interface ConfHelp {
  readonly diagnose: (
    text: string,
    surface: Surface,
    version: SparkVersion,
  ) => readonly ConfDiagnostic[];
  readonly complete: (
    text: string,
    surface: Surface,
    offset: number,
    version: SparkVersion,
  ) => readonly Proposal[];
  readonly hover: (
    text: string,
    surface: Surface,
    offset: number,
    version: SparkVersion,
  ) => Hover | undefined;
}

/** A finding in words. */
export interface ConfDiagnostic {
  readonly span: Span;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** How the text may be shown besides: crossed out, or faded. */
  readonly look: "deprecated" | "unnecessary" | undefined;
  /** Another place that has to do with it. */
  readonly related: { readonly span: Span; readonly message: string } | undefined;
}

/** Opens the catalogue; whoever wants help keeps what is returned. */
export function openConf(): ConfHelp {
  const catalogue = openCatalogue();
  const linters = new Map<SparkVersion, Linter>();
  const linter = (version: SparkVersion): Linter => {
    const lint = linters.get(version) ?? linterFor(catalogue, version);
    linters.set(version, lint);
    return lint;
  };
  return {
    diagnose: (text, surface, version) =>
      readSurface(text, surface)
        .flatMap((document) => linter(versionOfDocument(document) ?? version)(document))
        .map(toDiagnostic),
    complete: (text, surface, offset, version) =>
      completeSurface(text, surface, offset, catalogue, version),
    hover: (text, surface, offset, version) =>
      hoverSurface(text, surface, offset, catalogue, version),
  };
}

function toDiagnostic(finding: Finding): ConfDiagnostic {
  return {
    span: finding.span,
    code: finding.code,
    severity: severityOf(finding),
    message: describeFinding(finding),
    look: lookOf(finding),
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
