import type { QuickPickItem, Uri } from "vscode";
import { msg } from "../../base/message.ts";
import {
  convert,
  type ConversionPlace,
  type GeneratedFile,
  type SubmissionForm,
} from "../../spark/operator/convert.ts";
import { absolutePath } from "../../spark/submit/arguments/localPath.ts";
import type { inStatusBar } from "../progress.ts";
import type { Screen } from "../screen.ts";
import { conversionText, formWords } from "./conversionText.ts";
import {
  sourcesAt,
  sourcesAtHand,
  type ConversionSource,
  type SourceTexts,
} from "./conversionSources.ts";
import type { ManifestPlace } from "./manifestDocuments.ts";
import type { RunClusters } from "./prepareRun.ts";

export interface ConversionOptions {
  /** The Spark version of a source that does not specify one. */
  readonly sparkVersion: string;
  readonly clusters: Pick<RunClusters, "target">;
  /** Returns the text of a local file; undefined if it cannot be read. */
  readonly readText: (path: string) => string | undefined;
}

/** The parts of the window that Convert Submission uses. Implemented by `convertWindow.ts`. */
export interface ConvertWindow extends SourceTexts {
  readonly screen: Pick<
    Screen,
    "showInformationMessage" | "showWarningMessage" | "showQuickPick" | "translated"
  >;
  readonly inStatusBar: typeof inStatusBar;
  readonly mayReadKubeconfig: () => boolean;
  /**
   * Returns the path of the document's workspace folder, else of the first workspace folder; undefined if there is
   * none.
   */
  readonly folderOf: (uri: Uri | undefined) => string | undefined;
  /** Opens an untitled document. */
  readonly open: (language: string, content: string) => Promise<void>;
}

/** Prompts for a source and a target form, and opens the result. `place`: the manifest to convert. */
export async function convertSubmission(
  place: ManifestPlace | undefined,
  options: ConversionOptions,
  window: ConvertWindow,
): Promise<void> {
  const { screen, open } = window;
  const { sparkVersion } = options;
  const sources = place
    ? await sourcesAt(place, window)
    : await sourcesAtHand(sparkVersion, window);
  if (sources.length === 0) {
    void screen.showInformationMessage(
      msg(
        "Nothing to convert. Select or copy a spark-submit command, or open a SparkApplication manifest or a tasks.json with run profiles.",
      ),
    );
    return;
  }
  const source = await pickSource(sources, screen);
  if (source === undefined) return;
  const target = await pickTarget(source, screen);
  if (target === undefined) return;
  const needsCluster = target === "line" || source.form.kind === "profile";
  const cluster = needsCluster ? await clusterInUse(options, window) : undefined;
  const folder = window.folderOf(source.uri) ?? "/";
  const conversionPlace: ConversionPlace = {
    sparkVersion,
    master: cluster?.server,
    context: cluster?.context,
    readFile: (path) => options.readText(absolutePath(path.replace(/^file:(?:\/\/)?/, ""), folder)),
  };
  const conversion = convert(source.form, target, conversionPlace);
  const converted = conversionText(conversion, source.from, source.remarks, screen);
  for (const file of conversion.files) await open("yaml", textOfFile(file, screen));
  await open(converted.language, converted.text);
  if (converted.remarks > 0) tellRemarks(converted.remarks, screen);
}

async function clusterInUse(
  { clusters }: ConversionOptions,
  { mayReadKubeconfig, inStatusBar, screen }: ConvertWindow,
): Promise<{ readonly context: string; readonly server: string } | undefined> {
  // Do not read a kubeconfig in an untrusted workspace: it can run programs, and the workspace may choose it.
  if (!mayReadKubeconfig()) return undefined;
  const target = await inStatusBar(screen.translated(msg("Reading the kubeconfig")), (signal) =>
    clusters.target(undefined, signal),
  );
  return target.ok ? target.value : undefined;
}

type ConvertScreen = ConvertWindow["screen"];

function tellRemarks(count: number, screen: ConvertScreen): void {
  void screen.showWarningMessage(
    count === 1
      ? msg("Converted with 1 remark. See the top of the document.")
      : msg`Converted with ${count} remarks. See the top of the document.`,
  );
}

const textOfFile = ({ name, text }: GeneratedFile, { translated }: ConvertScreen): string =>
  `# ${translated(msg`Save this file as "${name}".`)}\n${text}`;

async function pickSource(
  sources: readonly ConversionSource[],
  { showQuickPick, translated }: ConvertScreen,
): Promise<ConversionSource | undefined> {
  const [only] = sources;
  if (sources.length === 1) return only;
  const items = sources.map((source) => ({
    label: source.label,
    description: source.from,
    source,
  }));
  const chosen = await showQuickPick(items, {
    title: translated(msg("Convert Submission")),
    placeHolder: translated(msg("Select a source")),
  });
  return chosen?.source;
}

interface TargetItem extends QuickPickItem {
  readonly target: SubmissionForm["kind"];
}

const targets: readonly SubmissionForm["kind"][] = ["line", "kubeflow", "apache", "profile"];

async function pickTarget(
  source: ConversionSource,
  { showQuickPick, translated }: ConvertScreen,
): Promise<TargetItem["target"] | undefined> {
  const items = targets
    .filter((target) => target !== source.form.kind)
    .map((target): TargetItem => ({ label: translated(formWords(target)), target }));
  const chosen = await showQuickPick(items, {
    title: translated(msg`Convert Submission: ${source.from}`),
    placeHolder: translated(msg("Select a target")),
  });
  return chosen?.target;
}
