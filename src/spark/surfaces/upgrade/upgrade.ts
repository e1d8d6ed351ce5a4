// Effects of another Spark version on settings.
import { msg, verbatim, type Message, type ShowMessage } from "../../../base/message.ts";
import type { Span } from "../../../base/span.ts";
import type { TextEdit } from "../../../base/textEdit.ts";
import type { Catalogue } from "../../conf/catalogue/catalogue.ts";
import type { ConfDiagnostic } from "../../conf/lint/diagnoseConf.ts";
import type { Severity } from "../../conf/lint/finding.ts";
import type { EntryFacts } from "../../conf/catalogue/keyFacts.ts";
import type { SparkVersion } from "../../conf/catalogue/sparkVersions.ts";

interface UpgradeFinding {
  readonly span: Span;
  readonly severity: Severity;
  readonly code: string;
  readonly message: Message;
}

/** The effects of the new version on a text. `findings`: only those that the old version does not have. */
export interface TextUpgrade {
  readonly findings: readonly UpgradeFinding[];
  /** The edits of the unambiguous fixes. */
  readonly edits: readonly TextEdit[];
  /** Keys that the text sets. */
  readonly keys: readonly string[];
}

/** Returns the findings that the new version adds. */
export function newFindings(
  before: readonly ConfDiagnostic[],
  after: readonly ConfDiagnostic[],
): readonly ConfDiagnostic[] {
  const nameOf = ({ code, span }: ConfDiagnostic): string => `${code} ${span.start}`;
  const known = new Set(before.map(nameOf));
  return after.filter((one) => !known.has(nameOf(one)));
}

/** A default value, or the key whose value is the default. `value` is undefined if the key has no default. */
type Default = { readonly value: string | undefined } | { readonly fallback: string };

export interface ChangedDefault {
  readonly key: string;
  readonly before: Default;
  readonly after: Default;
}

/** Returns the public keys with another default in the new version, sorted by key. */
export function changedDefaults(
  catalogue: Catalogue,
  from: SparkVersion,
  to: SparkVersion,
): readonly ChangedDefault[] {
  const changes: ChangedDefault[] = [];
  for (const { key, entry } of catalogue.keys(to)) {
    const old = catalogue.find(key, from)?.entry;
    if (entry?.isPublic !== true || old === undefined) continue;
    const isSame =
      old.fallback === entry.fallback &&
      (entry.fallback !== undefined || old.default === entry.default);
    if (isSame) continue;
    changes.push({ key, before: defaultOf(old), after: defaultOf(entry) });
  }
  return changes.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const defaultOf = ({ default: value, fallback }: EntryFacts): Default =>
  fallback === undefined ? { value } : { fallback };

/** A file in the workspace, and the effects of the new version on it. */
export interface FileUpgrade extends TextUpgrade {
  readonly name: string;
  /** The URI of the file, for the edits. */
  readonly uri: string;
  readonly text: string;
}

/** Returns the report as a plain-text document, in the language of `show`. */
export function upgradeReport(
  from: SparkVersion,
  to: SparkVersion,
  files: readonly FileUpgrade[],
  defaults: readonly ChangedDefault[],
  show: ShowMessage,
): string {
  const hits = files.filter(({ findings }) => findings.length > 0);
  const findings = hits.reduce((sum, file) => sum + file.findings.length, 0);
  const edits = hits.reduce((sum, file) => sum + file.edits.length, 0);
  const set = new Set(files.flatMap(({ keys }) => keys));
  const unset = defaults.filter(({ key }) => !set.has(key));
  return [
    show(msg`From Spark ${from} to Spark ${to}`),
    show(
      files.length === 0
        ? msg("No file in the workspace contains Spark properties.")
        : msg`${fileCount(files.length)} with Spark properties: ${findingCount(findings)} in ${fileCount(hits.length)}, ${fixCount(edits)}.`,
    ),
    ...hits.flatMap((file) => fileWords(file, show)),
    heading(show(msg("Changed defaults"))),
    unset.length === 0
      ? show(msg("No changed default applies here."))
      : [
          show(msg("No file in the workspace sets these properties, so the new defaults apply:")),
          "",
          ...unset.map(
            ({ key, before, after }) =>
              `- ${key}: ${show(defaultWords(before))} → ${show(defaultWords(after))}`,
          ),
        ].join("\n"),
    "",
  ].join("\n\n");
}

function fileWords({ name, text, findings }: FileUpgrade, show: ShowMessage): readonly string[] {
  const found = findings.map(({ span, severity, code, message }) => {
    const line = text.slice(0, span.start).split("\n").length;
    const written = text.slice(span.start, span.end).split("\n")[0] ?? "";
    const title = show(msg`${severityWords[severity]} ${code}: Line ${line}, ${written}`);
    return `${title}\n  ${show(message).replaceAll("\n", "\n  ")}`;
  });
  return [heading(name), ...found];
}

const heading = (title: string): string => `${title}\n${"-".repeat(title.length)}`;

const defaultWords = (standard: Default): Message => {
  if ("fallback" in standard) return msg`value of ${standard.fallback}`;
  if (standard.value === undefined) return msg("none");
  return standard.value === "" ? msg("empty") : verbatim(standard.value);
};

const severityWords: Readonly<Record<Severity, Message>> = {
  error: msg("Error"),
  warning: msg("Warning"),
  information: msg("Information"),
  hint: msg("Hint"),
};

const fileCount = (count: number): Message => (count === 1 ? msg("1 file") : msg`${count} files`);

const findingCount = (count: number): Message =>
  count === 1 ? msg("1 finding") : msg`${count} findings`;

const fixCount = (count: number): Message =>
  count === 1 ? msg("1 safe fix") : msg`${count} safe fixes`;
