// Effects of another Spark version on settings.
import type { Span } from "../../../base/span.ts";
import type { TextEdit } from "../../../base/textEdit.ts";
import type { Catalogue } from "../../conf/catalogue/catalogue.ts";
import type { ConfDiagnostic } from "../../conf/lint/diagnoseConf.ts";
import type { Severity } from "../../conf/lint/finding.ts";
import type { SparkVersion } from "../../conf/catalogue/sparkVersions.ts";

interface UpgradeFinding {
  readonly span: Span;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
}

/** Findings of the new version that the old one did not have. */
export interface TextUpgrade {
  readonly findings: readonly UpgradeFinding[];
  /** The certain changes. */
  readonly edits: readonly TextEdit[];
  /** Keys that the text sets. */
  readonly keys: readonly string[];
}

/** The findings that the new version adds. */
export function newFindings(
  before: readonly ConfDiagnostic[],
  after: readonly ConfDiagnostic[],
): readonly ConfDiagnostic[] {
  const nameOf = ({ code, span }: ConfDiagnostic): string => `${code} ${span.start}`;
  const known = new Set(before.map(nameOf));
  return after.filter((one) => !known.has(nameOf(one)));
}

export interface ChangedDefault {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

/** Public keys with another default in the new version. */
export function changedDefaults(
  catalogue: Catalogue,
  from: SparkVersion,
  to: SparkVersion,
): readonly ChangedDefault[] {
  const changes: ChangedDefault[] = [];
  for (const { key, entry } of catalogue.keys(to)) {
    const old = catalogue.find(key, from)?.entry;
    if (entry?.isPublic !== true || old === undefined) continue;
    const before = shownDefault(old.default, old.fallback);
    const after = shownDefault(entry.default, entry.fallback);
    if (before !== after) changes.push({ key, before, after });
  }
  return changes.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const shownDefault = (defaultValue: string | undefined, fallback: string | undefined): string =>
  fallback === undefined ? (defaultValue ?? "none") : `that of ${fallback}`;

/** A file of the workspace and the effects on it. */
export interface FileUpgrade extends TextUpgrade {
  readonly name: string;
  /** For the edits. */
  readonly uri: string;
  readonly text: string;
}

/** The report as a plain-text document. */
export function upgradeReport(
  from: SparkVersion,
  to: SparkVersion,
  files: readonly FileUpgrade[],
  defaults: readonly ChangedDefault[],
): string {
  const hits = files.filter(({ findings }) => findings.length > 0);
  const findings = hits.reduce((sum, file) => sum + file.findings.length, 0);
  const edits = hits.reduce((sum, file) => sum + file.edits.length, 0);
  const set = new Set(files.flatMap(({ keys }) => keys));
  const unset = defaults.filter(({ key }) => !set.has(key));
  return [
    `From Spark ${from} to Spark ${to}`,
    files.length === 0
      ? "No file of the workspace has Spark settings."
      : `${count(files.length, "file")} with Spark settings: ${count(findings, "finding")} in ${count(hits.length, "file")}, ${count(edits, "safe fix", "safe fixes")}.`,
    ...hits.flatMap(fileWords),
    heading("Changed defaults"),
    unset.length === 0
      ? "None applies here."
      : [
          "No file of the workspace sets these keys, so the new defaults apply:",
          "",
          ...unset.map(({ key, before, after }) => `- ${key}: ${shown(before)} → ${shown(after)}`),
        ].join("\n"),
    "",
  ].join("\n\n");
}

function fileWords({ name, text, findings }: FileUpgrade): readonly string[] {
  const found = findings.map(({ span, severity, code, message }) => {
    const line = text.slice(0, span.start).split("\n").length;
    const written = text.slice(span.start, span.end).split("\n")[0] ?? "";
    const [first = "", ...rest] = severity;
    const word = first.toUpperCase() + rest.join("");
    return `${word} ${code}: Line ${line}, ${written}\n  ${message.replaceAll("\n", "\n  ")}`;
  });
  return [heading(name), ...found];
}

const heading = (title: string): string => `${title}\n${"-".repeat(title.length)}`;

const shown = (text: string): string => (text === "" ? "empty" : text);

const count = (number: number, one: string, several = `${one}s`): string =>
  `${number} ${number === 1 ? one : several}`;
