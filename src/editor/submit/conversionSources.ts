import { env, l10n, workspace, type TextDocument, type TextEditor, type Uri } from "vscode";
import type { SourceForm } from "../../spark/operator/convert.ts";
import { decodeManifests } from "../../spark/operator/decodeManifests.ts";
import type { OperatorManifest } from "../../spark/operator/operatorManifest.ts";
import { fillPasted } from "../../spark/submit/pasted/fillPasted.ts";
import { parsePastedCommand } from "../../spark/submit/pasted/parsePastedCommand.ts";
import { decodeRunProfile } from "../../spark/submit/profile/runProfile.ts";
import { sparkVersionOfImage } from "../../spark/submit/conf/sparkVersion.ts";
import { taskType } from "../ids.ts";
import type { ManifestPlace } from "./manifestDocuments.ts";
import { nameOfProfile } from "./profileName.ts";
import { window } from "../ui/window.ts";
import { sentences } from "../../base/message.ts";
import { translated } from "../ui/translated.ts";

/** Something that can be converted. */
export interface ConversionSource {
  readonly label: string;
  /** As part of a sentence: "converted from …". */
  readonly from: string;
  readonly form: SourceForm;
  /** Remarks from parsing, as sentences. */
  readonly remarks: readonly string[];
  /** The document of the source; relative paths are resolved against its folder. */
  readonly uri: Uri | undefined;
}

/** The manifests at a place in a document; all of the document's if the place has no offset. */
export async function sourcesAt(place: ManifestPlace): Promise<readonly ConversionSource[]> {
  const document = await workspace.openTextDocument(place.uri);
  const sources = manifestSources(document);
  if (place.offset === undefined) return sources;
  const starts = decodeManifests(document.getText()).manifests.map(({ span }) => span.start);
  return sources.filter((_, index) => starts[index] === place.offset);
}

/** Sources in order of proximity: selection, document, clipboard, profiles; profiles first in tasks.json. */
export async function sourcesAtHand(sparkVersion: string): Promise<readonly ConversionSource[]> {
  const editor = window.activeTextEditor;
  const inEditor = editor === undefined ? [] : editorSources(editor, sparkVersion);
  const clipboard = await env.clipboard.readText();
  const copied = lineSource(clipboard, l10n.t("the clipboard"), sparkVersion, undefined);
  const isTasks = editor?.document.uri.path.endsWith("/tasks.json") === true;
  const profiles = profileSources();
  return [
    ...(isTasks ? profiles : []),
    ...inEditor,
    ...(copied === undefined ? [] : [copied]),
    ...(isTasks ? [] : profiles),
  ];
}

function editorSources(editor: TextEditor, sparkVersion: string): readonly ConversionSource[] {
  const { document, selection } = editor;
  const manifests = document.languageId === "yaml" ? manifestSources(document) : [];
  const text = selection.isEmpty
    ? commandAt(document, selection.active.line)
    : document.getText(selection);
  const from = selection.isEmpty
    ? l10n.t("the command at the cursor")
    : l10n.t("the selected command");
  const line = lineSource(text, from, sparkVersion, document.uri);
  return [...(line === undefined ? [] : [line]), ...manifests];
}

function manifestSources(document: TextDocument): readonly ConversionSource[] {
  const { manifests, findings } = decodeManifests(document.getText());
  return manifests.map(({ manifest, span }) => {
    const name = manifest.metadata.name ?? manifest.kind;
    const errors = findings.filter(
      (finding) =>
        finding.severity === "error" &&
        finding.span.start >= span.start &&
        finding.span.start <= span.end,
    );
    return {
      label: name,
      from: l10n.t('{0} "{1}" of {2}', manifest.kind, name, manifest.apiVersion),
      form: formOf(manifest),
      remarks: errors.map(({ message, path }) =>
        l10n.t("Ignored: {0}. {1}", path, translated(message)),
      ),
      uri: document.uri,
    };
  });
}

function formOf(manifest: OperatorManifest): SourceForm {
  if (manifest.apiVersion === "spark.apache.org/v1") return { kind: "apache", manifest };
  return manifest.kind === "SparkApplication"
    ? { kind: "kubeflow", manifest }
    : { kind: "scheduled", manifest };
}

function lineSource(
  text: string,
  from: string,
  sparkVersion: string,
  uri: Uri | undefined,
): ConversionSource | undefined {
  if (!/spark/i.test(text) || text.length > maxCommandLength) return undefined;
  const command = parsePastedCommand(text);
  if (command.span === undefined || command.tokens.length === 0) return undefined;
  const values = command.variables.map(
    ({ name, suggestion }) =>
      [name, suggestion ?? (name.startsWith("<") ? name : `\${${name}}`)] as const,
  );
  const { tokens, environment } = fillPasted(command, new Map(values));
  const image = tokens
    .map((token) => /^spark\.kubernetes\.container\.image=(.*)$/.exec(token)?.[1])
    .findLast((found) => found !== undefined);
  const version = (image && sparkVersionOfImage(image)) ?? sparkVersion;
  const open = command.variables.filter(({ suggestion }) => suggestion === undefined);
  return {
    label: l10n.t("spark-submit line"),
    from,
    form: { kind: "line", line: { kind: "tokens", sparkVersion: version, tokens } },
    remarks: [
      ...command.findings.map(({ problem, advice }) => translated(sentences([problem, advice]))),
      ...open.map(({ name }) => l10n.t('To do: set the value of "{0}".', name)),
      ...Object.keys(environment).map((name) =>
        l10n.t(
          'Omitted: "{0}" before the command, which applies to the submitting machine only.',
          name,
        ),
      ),
    ],
    uri,
  };
}

// Do not parse a huge clipboard. Shells limit a command line to about this length.
const maxCommandLength = 200_000;

/** The command at the cursor with its continuation lines, after the assignments above it. */
function commandAt(document: TextDocument, line: number): string {
  const continues = (at: number): boolean => at >= 0 && /[\\`^]\s*$/.test(document.lineAt(at).text);
  let first = line;
  while (continues(first - 1)) first -= 1;
  let last = line;
  while (continues(last) && last + 1 < document.lineCount) last += 1;
  const lines = Array.from({ length: last + 1 }, (_, at) => document.lineAt(at).text);
  const values = lines
    .slice(0, first)
    .filter((text) => /^\s*(?:export\s+)?[A-Za-z_]\w*=/.test(text));
  return [...values, ...lines.slice(first)].join("\n");
}

// Reads the settings, as VS Code lists no tasks in an untrusted workspace. Variables are not resolved.
function profileSources(): readonly ConversionSource[] {
  return (workspace.workspaceFolders ?? []).flatMap((folder) => {
    const tasks: unknown = workspace.getConfiguration("tasks", folder).get("tasks");
    return (Array.isArray(tasks) ? tasks : []).flatMap((task: unknown): ConversionSource[] => {
      if (typeof task !== "object" || task === null) return [];
      if (!("type" in task) || task.type !== taskType) return [];
      const { value: profile, findings } = decodeRunProfile(task);
      const name = nameOfProfile(profile);
      return [
        {
          label: name,
          from: l10n.t('the run profile "{0}"', name),
          form: { kind: "profile", profile },
          remarks: findings.map(({ message }) => translated(message)),
          uri: folder.uri.with({ path: `${folder.uri.path}/tasks.json` }),
        },
      ];
    });
  });
}
