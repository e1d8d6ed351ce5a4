import { l10n, workspace, type QuickPickItem } from "vscode";
import {
  convert,
  type ConversionPlace,
  type GeneratedFile,
  type SubmissionForm,
} from "../../spark/operator/convert.ts";
import { absolutePath } from "../../spark/submit/arguments/localPath.ts";
import { conversionText, formWords } from "./conversionText.ts";
import { sourcesAt, sourcesAtHand, type ConversionSource } from "./conversionSources.ts";
import type { ManifestPlace } from "./manifestDocuments.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { windowScreen } from "../windowScreen.ts";

export interface ConvertOptions {
  /** Spark version of a source that names none. */
  readonly sparkVersion: string;
  /** Target cluster of a command line; undefined without a cluster. Called only if needed. */
  readonly cluster: () => Promise<
    { readonly context: string; readonly server: string } | undefined
  >;
  /** The text of a local file. */
  readonly readText: (path: string) => string | undefined;
}

/** Asks for a source and a target form, and opens the result. `place`: the manifest to convert. */
export async function convertSubmission(
  place: ManifestPlace | undefined,
  options: ConvertOptions,
): Promise<void> {
  const sources = place ? await sourcesAt(place) : await sourcesAtHand(options.sparkVersion);
  if (sources.length === 0) {
    void window.showInformationMessage(
      l10n.t(
        "Nothing to convert. Select or copy a spark-submit command, or open a SparkApplication manifest or a tasks.json with run profiles.",
      ),
    );
    return;
  }
  const source = await pickSource(sources);
  if (source === undefined) return;
  const target = await pickTarget(source);
  if (target === undefined) return;
  const needsCluster = target === "line" || source.form.kind === "profile";
  const cluster = needsCluster ? await options.cluster() : undefined;
  const folder = folderOf(source);
  const conversionPlace: ConversionPlace = {
    sparkVersion: options.sparkVersion,
    master: cluster?.server,
    context: cluster?.context,
    readFile: (path) => options.readText(absolutePath(path.replace(/^file:(?:\/\/)?/, ""), folder)),
  };
  const conversion = convert(source.form, target, conversionPlace);
  const converted = conversionText(conversion, source.from, source.remarks, windowScreen);
  for (const file of conversion.files) await openFile(file);
  await open(converted.language, converted.text);
  if (converted.remarks > 0) tellRemarks(converted.remarks);
}

function tellRemarks(count: number): void {
  void window.showWarningMessage(
    count === 1
      ? l10n.t("Converted with 1 remark. See the top of the document.")
      : l10n.t("Converted with {0} remarks. See the top of the document.", count),
  );
}

const openFile = ({ name, text }: GeneratedFile): Promise<void> =>
  open("yaml", `# ${l10n.t('Save this file as "{0}".', name)}\n${text}`);

async function open(language: string, content: string): Promise<void> {
  const document = await workspace.openTextDocument({ language, content });
  await window.showTextDocument(document, { preview: false });
}

async function pickSource(
  sources: readonly ConversionSource[],
): Promise<ConversionSource | undefined> {
  const [only] = sources;
  if (sources.length === 1) return only;
  const items = sources.map((source) => ({
    label: source.label,
    description: source.from,
    source,
  }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Convert Submission"),
    placeHolder: l10n.t("Select a source"),
    matchOnDescription: true,
  });
  return chosen?.source;
}

interface TargetItem extends QuickPickItem {
  readonly target: SubmissionForm["kind"];
}

const targets: readonly SubmissionForm["kind"][] = ["line", "kubeflow", "apache", "profile"];

async function pickTarget(source: ConversionSource): Promise<TargetItem["target"] | undefined> {
  const items = targets
    .filter((target) => target !== source.form.kind)
    .map((target): TargetItem => ({ label: translated(formWords(target)), target }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Convert Submission: {0}", source.from),
    placeHolder: l10n.t("Select a target"),
  });
  return chosen?.target;
}

function folderOf({ uri }: ConversionSource): string {
  const folder = uri && workspace.getWorkspaceFolder(uri);
  return (folder ?? workspace.workspaceFolders?.[0])?.uri.fsPath ?? "/";
}
