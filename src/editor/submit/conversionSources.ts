import type { Uri } from "vscode";
import { isRecord } from "../../base/json.ts";
import { msg, sentences, type Message } from "../../base/message.ts";
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
import type { Screen } from "../screen.ts";

/** A submission that can be converted. */
export interface ConversionSource {
  readonly label: string;
  /** A description of the source that completes "converted from …". */
  readonly from: string;
  readonly form: SourceForm;
  /** Remarks from parsing, as sentences. */
  readonly remarks: readonly string[];
  /** The document of the source. Relative paths are resolved against its workspace folder. */
  readonly uri: Uri | undefined;
}

export interface SourceText {
  readonly uri: Uri;
  readonly text: string;
}

/** The texts that may contain a submission, in the window and in the workspace. */
export interface SourceTexts {
  readonly screen: Pick<Screen, "translated">;
  readonly textOf: (uri: Uri) => Promise<string>;
  /**
   * Returns the text of the active editor; undefined if there is none. `selected`: empty without a selection. `line`:
   * the line of the cursor, from 0.
   */
  readonly activeText: () =>
    | (SourceText & {
        readonly languageId: string;
        readonly selected: string;
        readonly line: number;
      })
    | undefined;
  readonly clipboard: () => Thenable<string>;
  /** Returns the setting `tasks.tasks` of each workspace folder, with a URI for its tasks.json. */
  readonly tasksOfFolders: () => readonly { readonly uri: Uri; readonly tasks: unknown }[];
}

/** Returns the manifests at a place in a document; all of its manifests if the place has no offset. */
export async function sourcesAt(
  { uri, offset }: ManifestPlace,
  { textOf, screen }: SourceTexts,
): Promise<readonly ConversionSource[]> {
  const text = await textOf(uri);
  const sources = manifestSources({ uri, text }, screen);
  if (offset === undefined) return sources;
  const starts = decodeManifests(text).manifests.map(({ span }) => span.start);
  return sources.filter((_, index) => starts[index] === offset);
}

/**
 * Returns the sources in this order: the selection or the command at the cursor, the manifests of the document, the
 * clipboard, the run profiles. In tasks.json the profiles come first.
 */
export async function sourcesAtHand(
  sparkVersion: string,
  texts: SourceTexts,
): Promise<readonly ConversionSource[]> {
  const { screen } = texts;
  const active = texts.activeText();
  const lineAt = (text: string, from: Message, uri: Uri | undefined): readonly ConversionSource[] =>
    lineSources({ text, from: screen.translated(from), uri }, sparkVersion, screen);
  const { text = "", selected = "", line = 0, uri } = active ?? {};
  const inEditor =
    selected === ""
      ? lineAt(commandAt(text, line), msg("the command at the cursor"), uri)
      : lineAt(selected, msg("the selected command"), uri);
  const copied = lineAt(await texts.clipboard(), msg("the clipboard"), undefined);
  const profiles = profileSources(texts);
  const isTasks = uri?.path.endsWith("/tasks.json") === true;
  return [
    ...(isTasks ? profiles : []),
    ...inEditor,
    ...(active?.languageId === "yaml" ? manifestSources(active, screen) : []),
    ...copied,
    ...(isTasks ? [] : profiles),
  ];
}

function manifestSources(
  { text, uri }: SourceText,
  { translated }: SourceTexts["screen"],
): readonly ConversionSource[] {
  const { manifests, findings } = decodeManifests(text);
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
      from: translated(msg`${manifest.kind} "${name}" of ${manifest.apiVersion}`),
      form: formOf(manifest),
      remarks: errors.map(({ message, path }) => translated(msg`Ignored: ${path}. ${message}`)),
      uri,
    };
  });
}

function formOf(manifest: OperatorManifest): SourceForm {
  if (manifest.apiVersion === "spark.apache.org/v1") return { kind: "apache", manifest };
  return manifest.kind === "SparkApplication"
    ? { kind: "kubeflow", manifest }
    : { kind: "scheduled", manifest };
}

interface LineText {
  readonly text: string;
  readonly from: string;
  readonly uri: Uri | undefined;
}

/** Returns the command in the text as a source; empty if there is no command. */
function lineSources(
  { text, from, uri }: LineText,
  sparkVersion: string,
  { translated }: SourceTexts["screen"],
): readonly ConversionSource[] {
  if (!/spark/i.test(text) || text.length > maxCommandLength) return [];
  const command = parsePastedCommand(text);
  if (command.span === undefined || command.tokens.length === 0) return [];
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
  const source: ConversionSource = {
    label: translated(msg("spark-submit line")),
    from,
    form: { kind: "line", line: { kind: "tokens", sparkVersion: version, tokens } },
    remarks: [
      ...command.findings.map(({ problem, advice }) => translated(sentences([problem, advice]))),
      ...open.map(({ name }) => translated(msg`To do: set the value of "${name}".`)),
      ...Object.keys(environment).map((name) =>
        translated(
          msg`Omitted: "${name}" before the command, which applies to the submitting machine only.`,
        ),
      ),
    ],
    uri,
  };
  return [source];
}

// In characters. Longer text, for example in the clipboard, is not parsed.
const maxCommandLength = 200_000;

/** Returns the command at the cursor with its continuation lines, after the assignments above the command. */
function commandAt(text: string, line: number): string {
  const all = text.split(/\r\n|\r|\n/);
  const continues = (at: number): boolean => /[\\`^]\s*$/.test(all[at] ?? "");
  let first = line;
  while (continues(first - 1)) first -= 1;
  let last = line;
  while (continues(last)) last += 1;
  const values = all.slice(0, first).filter((each) => /^\s*(?:export\s+)?[A-Za-z_]\w*=/.test(each));
  return [...values, ...all.slice(first, last + 1)].join("\n");
}

// Reads the VS Code settings, because VS Code lists no tasks in an untrusted workspace. Variables are not resolved.
const profileSources = ({
  tasksOfFolders,
  screen: { translated },
}: SourceTexts): readonly ConversionSource[] =>
  tasksOfFolders().flatMap(({ uri, tasks }) =>
    (Array.isArray(tasks) ? tasks : []).flatMap((task: unknown): ConversionSource[] => {
      if (!isRecord(task) || task["type"] !== taskType) return [];
      const { value: profile, findings } = decodeRunProfile(task);
      const name = nameOfProfile(profile);
      return [
        {
          label: name,
          from: translated(msg`the run profile "${name}"`),
          form: { kind: "profile", profile },
          remarks: findings.map(({ message }) => translated(message)),
          uri,
        },
      ];
    }),
  );
