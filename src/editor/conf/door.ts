import { openCatalogue } from "../../spark/conf/catalogue.ts";
import type { Proposal } from "../../spark/conf/completeConf.ts";
import { diagnoserOf, type ConfDiagnostic } from "../../spark/conf/diagnoseConf.ts";
import type { SeverityChoices } from "../../spark/conf/directives.ts";
import type { Hover } from "../../spark/conf/hoverConf.ts";
import { rulePage } from "../../spark/conf/rules/numbered/rulePage.ts";
import type { SparkVersion } from "../../spark/conf/sparkVersions.ts";
import { completeSurface } from "../../spark/surfaces/completeSurface.ts";
import { diagnoseSurface } from "../../spark/surfaces/diagnoseSurface.ts";
import { hoverSurface } from "../../spark/surfaces/hoverSurface.ts";
import { filesNamedIn, withFiles } from "../../spark/surfaces/namedFiles.ts";
import { podTotals, type PodTotal } from "../../spark/surfaces/podTotals.ts";
import { readSurface, type Surface } from "../../spark/surfaces/surfaces.ts";

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
    choices?: SeverityChoices,
    files?: ReadonlyMap<string, string>,
  ) => readonly ConfDiagnostic[];
  /** The properties files that a text names, whose texts the others may be given. */
  readonly filesNamed: (text: string, surface: Surface) => readonly string[];
  readonly totals: (
    text: string,
    surface: Surface,
    version: SparkVersion,
    files?: ReadonlyMap<string, string>,
  ) => readonly PodTotal[];
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
  /** The page of a rule in Markdown; undefined for a code that is no rule's. */
  readonly rulePage: (code: string) => string | undefined;
}

/** Opens the catalogue; whoever wants help keeps what is returned. */
export function openConf(): ConfHelp {
  const catalogue = openCatalogue();
  const diagnose = diagnoserOf(catalogue);
  return {
    diagnose: (text, surface, version, choices = new Map(), files = new Map()) =>
      diagnoseSurface(diagnose, text, surface, version, choices, files),
    // Nothing is read of a text that names none.
    filesNamed: (text, surface) =>
      /properties-?file/i.test(text) ? filesNamedIn(readSurface(text, surface)) : [],
    totals: (text, surface, version, files = new Map()) =>
      podTotals(text, withFiles(readSurface(text, surface), files), version),
    complete: (text, surface, offset, version) =>
      completeSurface(text, surface, offset, catalogue, version),
    hover: (text, surface, offset, version) =>
      hoverSurface(text, surface, offset, catalogue, version),
    rulePage,
  };
}
