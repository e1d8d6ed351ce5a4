import { l10n, window, workspace, type QuickPickItem } from "vscode";
import {
  convert,
  type ConversionPlace,
  type GeneratedFile,
  type SubmissionForm,
} from "../../spark/operator/convert.ts";
import { absolutePath } from "../../spark/submit/localPath.ts";
import { conversionText, formWords } from "./conversionText.ts";
import { sourcesAt, sourcesAtHand, type ConversionSource } from "./conversionSources.ts";
import type { ManifestPlace } from "./manifestDocuments.ts";

export interface ConvertOptions {
  /** For a source that names no version. */
  readonly sparkVersion: string;
  /** Where a command line would go; undefined without a cluster. Asked only when it is needed. */
  readonly cluster: () => Promise<
    { readonly context: string; readonly server: string } | undefined
  >;
  /** The text of a file of this machine. */
  readonly readText: (path: string) => string | undefined;
}

/** Asks what to convert and into what, and opens the result. `place`: what was pointed at. */
export async function convertSubmission(
  place: ManifestPlace | undefined,
  options: ConvertOptions,
): Promise<void> {
  const sources = place ? await sourcesAt(place) : await sourcesAtHand(options.sparkVersion);
  if (sources.length === 0) {
    void window.showInformationMessage(
      l10n.t(
        "There is nothing to convert: select or copy a spark-submit command, or open the manifest of a SparkApplication or a tasks.json with run profiles.",
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
  const converted = conversionText(conversion, source.from, source.remarks);
  for (const file of conversion.files) await openFile(file);
  await open(converted.language, converted.text);
  if (converted.remarks > 0) tellRemarks(converted.remarks);
}

function tellRemarks(count: number): void {
  void window.showWarningMessage(
    count === 1
      ? l10n.t("Converted. One thing differs or is left to do: it stands at the top.")
      : l10n.t("Converted. {0} things differ or are left to do: they stand at the top.", count),
  );
}

const openFile = ({ name, text }: GeneratedFile): Promise<void> =>
  open("yaml", `# ${l10n.t('Save this as "{0}".', name)}\n${text}`);

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
    placeHolder: l10n.t("What to convert"),
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
    .map((target): TargetItem => ({ label: formWords(target), target }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Convert Submission: {0}", source.from),
    placeHolder: l10n.t("Into what"),
  });
  return chosen?.target;
}

function folderOf({ uri }: ConversionSource): string {
  const folder = uri && workspace.getWorkspaceFolder(uri);
  return (folder ?? workspace.workspaceFolders?.[0])?.uri.fsPath ?? "/";
}
