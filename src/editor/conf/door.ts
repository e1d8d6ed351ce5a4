import { verbatim, type Message, type ShowMessage } from "../../base/message.ts";
import type { Span } from "../../base/span.ts";
import type { TextEdit } from "../../base/textEdit.ts";
import { openCatalogue } from "../../spark/conf/catalogue/catalogue.ts";
import type { CompletionProposal } from "../../spark/conf/lint/completeConf.ts";
import { diagnoserOf, type ConfDiagnostic } from "../../spark/conf/lint/diagnoseConf.ts";
import type { SeverityChoices } from "../../spark/conf/parse/directives.ts";
import { formatConf, sortConf } from "../../spark/conf/parse/formatConf.ts";
import type { Hover } from "../../spark/conf/lint/hoverConf.ts";
import { plainRulePage } from "../../spark/conf/rules/numbered/rulePage.ts";
import {
  nearestSparkVersion,
  type SparkVersion,
} from "../../spark/conf/catalogue/sparkVersions.ts";
import { versionOfBuild, type BuildFile } from "../../spark/surfaces/buildVersions.ts";
import { completeSurface } from "../../spark/surfaces/completeSurface.ts";
import { diagnoseSurface, diagnosing } from "../../spark/surfaces/diagnoseSurface.ts";
import { fixAll, fixesIn, type ConfFix } from "../../spark/surfaces/fixes/fixes.ts";
import type { CommentSign } from "../../spark/surfaces/fixes/silence.ts";
import {
  filesBelow,
  placesAbove,
  placesOf,
  settingAt,
  winnerOver,
} from "../../spark/surfaces/places.ts";
import {
  foldsOf,
  outlineOf,
  type FoldingRange,
  type OutlineItem,
} from "../../spark/conf/parse/outline.ts";
import { effectiveText, type EffectiveText } from "../../spark/surfaces/effective/effectiveText.ts";
import { layersOf, type ConfLayer, type NamedText } from "../../spark/surfaces/effective/layers.ts";
import {
  changedDefaults,
  newFindings,
  upgradeReport,
  type ChangedDefault,
  type TextUpgrade,
} from "../../spark/surfaces/upgrade/upgrade.ts";
import { versionOfDocument } from "../../spark/surfaces/versionOfDocument.ts";
import type { ConfDocument } from "../../spark/conf/parse/confDocument.ts";
import { namePlaceAt } from "../../spark/surfaces/clusterNames.ts";
import { hoverSurface } from "../../spark/surfaces/hoverSurface.ts";
import { filesNamedIn, mayNameFiles, withFiles } from "../../spark/surfaces/namedFiles.ts";
import { withoutLongLines } from "../../spark/surfaces/longLines.ts";
import { wholeCommandsIn } from "../../spark/surfaces/wholeOfCommand.ts";
import { podTotals, type PodTotal } from "../../spark/surfaces/podTotals.ts";
import { readSurface, type Surface } from "../../spark/surfaces/surfaces.ts";

/** The exports of this lazy bundle. */
export interface ConfDoor {
  readonly openConf: () => ConfHelp;
}

/**
 * Provides diagnostics, completion, hover, fixes and other help for Spark properties on all surfaces. `version` applies
 * to text that names no Spark version. The functions also accept invalid text.
 */
export interface ConfHelp {
  readonly diagnose: (
    text: string,
    surface: Surface,
    version: SparkVersion,
    choices?: SeverityChoices,
    files?: ReadonlyMap<string, string>,
  ) => readonly ConfDiagnostic[];
  /** As `diagnose`, but in steps. The caller can yield to the event loop between steps. */
  readonly diagnosing: (
    text: string,
    surface: Surface,
    version: SparkVersion,
    choices?: SeverityChoices,
    files?: ReadonlyMap<string, string>,
  ) => Iterable<undefined, readonly ConfDiagnostic[]>;
  /**
   * Returns the paths of the files that a text names. `files`: the texts of such files by path, which may name further
   * files.
   */
  readonly filesNamed: (
    text: string,
    surface: Surface,
    files?: ReadonlyMap<string, string>,
  ) => readonly string[];
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
  ) => readonly CompletionProposal[];
  readonly hover: (
    text: string,
    surface: Surface,
    offset: number,
    version: SparkVersion,
    files?: ReadonlyMap<string, string>,
  ) => Hover | undefined;
  /** Returns fixes for the findings in the span. A fix causes no new finding. */
  readonly fixes: (input: FixRequest, span: Span) => readonly ConfFix[];
  /** Returns the edits of all unambiguous fixes. They can be applied together. */
  readonly fixAll: (input: FixRequest) => readonly TextEdit[];
  /** Formats a properties file; keys and values stay the same. */
  readonly format: (text: string) => readonly TextEdit[];
  readonly sort: (text: string) => readonly TextEdit[];
  /**
   * Returns the kind and namespace of the Kubernetes object that the value at an offset must name, and the span of the
   * name. Undefined if the value names no object.
   */
  readonly namePlaceAt: typeof namePlaceAt;
  /** Returns the spans of the spark-submit commands that can be parsed completely. */
  readonly wholeCommands: (text: string) => readonly Span[];
  readonly outline: (text: string) => readonly OutlineItem[];
  readonly folds: (text: string) => readonly FoldingRange[];
  readonly settingAt: typeof settingAt;
  readonly placesOf: typeof placesOf;
  readonly winnerOver: typeof winnerOver;
  readonly filesBelow: typeof filesBelow;
  readonly placesAbove: typeof placesAbove;
  /**
   * Returns the findings that version `to` adds to those of `from`, and edits that resolve them. Ignores a version that
   * the text names.
   */
  readonly upgrade: (
    text: string,
    surface: Surface,
    from: SparkVersion,
    to: SparkVersion,
  ) => TextUpgrade;
  readonly changedDefaults: (from: SparkVersion, to: SparkVersion) => readonly ChangedDefault[];
  readonly upgradeReport: typeof upgradeReport;
  /** Returns the effective conf of the application at the requested offset; undefined if there is none. */
  readonly effective: (request: EffectiveRequest, show: ShowMessage) => EffectiveText | undefined;
  /** Returns the main file of the application at an offset; undefined if the document does not name it. */
  readonly mainFileAt: (text: string, surface: Surface, offset: number) => string | undefined;
  readonly effectiveOf: (
    subject: Message,
    layers: readonly ConfLayer[],
    version: SparkVersion,
    show: ShowMessage,
  ) => EffectiveText;
  /** Returns the version that the text itself names; undefined if it names none. */
  readonly versionNamedIn: (text: string, surface: Surface) => SparkVersion | undefined;
  /** Returns the Spark version in a build file; undefined if it names none. */
  readonly versionOfBuild: (
    file: BuildFile,
    text: string,
    properties: string,
  ) => SparkVersion | undefined;
  /** Returns the page of a rule in Markdown; undefined if no rule has the code. */
  readonly plainRulePage: typeof plainRulePage;
}

/** A document, and the options for its fixes. */
export interface FixRequest {
  readonly text: string;
  readonly surface: Surface;
  readonly version: SparkVersion;
  /** The comment sign of the document's language; undefined if directives are not read there. */
  readonly comment: CommentSign | undefined;
  readonly choices?: SeverityChoices;
  readonly files?: ReadonlyMap<string, string>;
}

interface EffectiveRequest {
  readonly own: NamedText;
  readonly surface: Surface;
  readonly offset: number;
  readonly version: SparkVersion;
  readonly files: ReadonlyMap<string, string>;
  readonly defaults: NamedText | undefined;
  /** The application's main file, if it is a program whose Spark properties can be read. */
  readonly code: (NamedText & { readonly surface: Surface }) | undefined;
}

/** Opens the catalogue and returns the functions that use it. Call it once and keep the result. */
export function openConf(): ConfHelp {
  const catalogue = openCatalogue();
  const diagnoser = diagnoserOf(catalogue);
  const fixInput = ({ choices = new Map(), files = new Map(), ...request }: FixRequest) => {
    const { text, surface, version } = request;
    return {
      ...request,
      catalogue,
      documents: withFiles(readSurface(text, surface), files),
      judge: (changed: string) =>
        diagnoseSurface(diagnoser, changed, surface, version, choices, files),
    };
  };
  return {
    diagnose: (text, surface, version, choices = new Map(), files = new Map()) =>
      diagnoseSurface(diagnoser, text, surface, version, choices, files),
    diagnosing: (text, surface, version, choices = new Map(), files = new Map()) =>
      diagnosing(diagnoser, text, surface, version, choices, files),
    // Skip parsing if the text cannot name files.
    filesNamed: (text, surface, files = new Map()) =>
      mayNameFiles(text) ? filesNamedIn(withFiles(readSurface(text, surface), files)) : [],
    totals: (text, surface, version, files = new Map()) =>
      podTotals(text, withFiles(readSurface(text, surface), files), version),
    complete: (text, surface, offset, version) =>
      completeSurface(text, surface, offset, catalogue, version),
    hover: (text, surface, offset, version, files = new Map()) =>
      hoverSurface(text, surface, offset, { catalogue, version, files }),
    fixes: (request, span) => fixesIn(fixInput(request), span),
    fixAll: (request) => fixAll(fixInput(request)),
    format: formatConf,
    sort: sortConf,
    namePlaceAt,
    wholeCommands: (text) => wholeCommandsIn(withoutLongLines(text)).map(({ span }) => span),
    outline: outlineOf,
    folds: foldsOf,
    settingAt,
    placesOf,
    winnerOver,
    filesBelow,
    placesAbove,
    upgrade: (text, surface, from, to) => {
      const documents = readSurface(text, surface);
      const judgedBy =
        (version: SparkVersion) =>
        (changed: string): readonly ConfDiagnostic[] =>
          readSurface(changed, surface).flatMap((document) =>
            diagnoser(document, version, new Map()),
          );
      const before = judgedBy(from)(text);
      const fresh = (found: readonly ConfDiagnostic[]): readonly ConfDiagnostic[] =>
        newFindings(before, found);
      const input = { text, surface, documents, catalogue, comment: undefined };
      return {
        findings: fresh(judgedBy(to)(text)),
        edits: fixAll({ ...input, version: to, judge: judgedBy(to) }, fresh),
        keys: documents.flatMap(({ entries }) => entries.map(({ key }) => key)),
      };
    },
    changedDefaults: (from, to) => changedDefaults(catalogue, from, to),
    upgradeReport,
    effective: ({ own, surface, offset, version, files, defaults, code }, show) => {
      const document = documentAt(readSurface(own.text, surface), offset);
      if (document === undefined) return undefined;
      const documents = code === undefined ? [] : readSurface(code.text, code.surface);
      const sources = { own, files, defaults, code: code && { ...code, documents } };
      const layers = layersOf(document, sources);
      const name = verbatim(own.name);
      const read = versionOfDocument(document) ?? version;
      return effectiveText(name, layers, catalogue, read, show);
    },
    mainFileAt: (text, surface, offset) =>
      documentAt(readSurface(text, surface), offset)?.application?.mainResource,
    effectiveOf: (subject, layers, version, show) =>
      effectiveText(subject, layers, catalogue, version, show),
    versionNamedIn: (text, surface) =>
      readSurface(text, surface)
        .map(versionOfDocument)
        .find((version) => version !== undefined),
    versionOfBuild: (file, text, properties) => {
      const version = versionOfBuild(file, text, properties);
      return version === undefined ? undefined : nearestSparkVersion(version);
    },
    plainRulePage,
  };
}

/** Returns the last document with entries that starts at or before the offset, else the first one with entries. */
function documentAt(documents: readonly ConfDocument[], offset: number): ConfDocument | undefined {
  const startOf = ({ entries }: ConfDocument): number =>
    Math.min(...entries.map(({ keySpan }) => keySpan.start));
  const filled = documents.filter(({ entries }) => entries.length > 0);
  return filled.findLast((document) => startOf(document) <= offset) ?? filled[0];
}
