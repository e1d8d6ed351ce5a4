import { translated } from "../ui/translated.ts";
import { verbatim } from "../../base/message.ts";
import {
  env,
  l10n,
  ThemeColor,
  workspace,
  type TextDocument,
  type TextEditor,
  type Uri,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { newestSparkVersion, type SparkVersion } from "../../spark/conf/catalogue/sparkVersions.ts";
import type { EffectiveText } from "../../spark/surfaces/effective/effectiveText.ts";
import type { ConfLayer, NamedText } from "../../spark/surfaces/effective/layers.ts";
import { surfaceOfFile } from "../../spark/surfaces/surfaceOfFile.ts";
import type { CommandHandler, PlaceArgument } from "../commandArguments.ts";
import { documentScheme } from "../ids.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import {
  findFile,
  namedFiles,
  rangeOf,
  readConfDocument,
  documentTextOf,
  type ConfContext,
} from "./confContext.ts";
import { visiblePath } from "../ui/plainText.ts";
import { window } from "../ui/window.ts";

/** Shows a document with the effective and the overridden properties of the layers. */
export type ShowLayers = (
  subject: { readonly name: string; readonly path: string },
  layers: readonly ConfLayer[],
  version: SparkVersion,
) => Promise<void>;

export interface EffectiveOptions {
  readonly documents: Pick<ReadOnlyDocuments, "show">;
  /** Reads this machine's spark-defaults.conf, which spark-submit uses without --properties-file. */
  readonly readDefaults: () => Promise<NamedText | undefined>;
}

/**
 * Creates the handler of the command that shows an effective conf as a read-only document: that of the application at
 * the cursor, else that of the spark-submit command on the clipboard. Also returns `showLayers`. Marks overridden
 * properties in these documents.
 */
export function registerEffective(
  context: ConfContext,
  { documents, readDefaults }: EffectiveOptions,
): Disposable & {
  readonly showLayers: ShowLayers;
  readonly explain: CommandHandler<"explainConf">;
} {
  const owned = new DisposableStore();
  const texts = new Map<string, EffectiveText>();
  const lost = owned.add(
    window.createTextEditorDecorationType({ textDecoration: "line-through", opacity: "0.75" }),
  );
  const late = owned.add(
    window.createTextEditorDecorationType({ color: new ThemeColor("editorWarning.foreground") }),
  );
  const mark = (editor: TextEditor): void => {
    const { document } = editor;
    const shown = document.uri.scheme === documentScheme ? texts.get(document.uri.path) : undefined;
    if (shown === undefined) return;
    editor.setDecorations(
      lost,
      shown.lost.map((span) => rangeOf(document, span)),
    );
    editor.setDecorations(
      late,
      shown.late.map((span) => rangeOf(document, span)),
    );
  };
  const show = async (path: string, shown: EffectiveText): Promise<void> => {
    texts.set(visiblePath(path), shown);
    await documents.show(path, shown.text);
    window.visibleTextEditors.forEach(mark);
  };
  owned.add(
    window.onDidChangeVisibleTextEditors((editors) => {
      editors.forEach(mark);
    }),
  );
  const explain: CommandHandler<"explainConf"> = async (place) => {
    const at = await placeOf(place);
    const shown =
      (at && (await effectiveAt(context, at, readDefaults))) ??
      (await effectivePasted(context, readDefaults));
    if (shown === undefined) {
      await window.showInformationMessage(
        l10n.t(
          "There is no Spark conf at the cursor and no spark-submit command on the clipboard. Open a conf file, a manifest, a run profile, a program or a script.",
        ),
      );
      return;
    }
    await show(`/${shown.name.replaceAll(/[^\w.-]+/g, "-")}.effective.spark.conf`, shown);
  };
  return {
    explain,
    showLayers: async (subject, layers, version) => {
      const help = await context.help();
      const name = verbatim(subject.name);
      await show(subject.path, help.effectiveOf(name, layers, version, translated));
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

interface Place {
  readonly document: TextDocument;
  readonly offset: number;
}

/**
 * Opens the document that a CodeLens passed, and returns it with the offset. Without an argument, returns the place of
 * the cursor; undefined without an active editor.
 */
async function placeOf(place: PlaceArgument | undefined): Promise<Place | undefined> {
  if (place !== undefined)
    return { document: await workspace.openTextDocument(place.uri), offset: place.offset };
  const editor = window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  return { document, offset: document.offsetAt(selection.active) };
}

async function effectiveAt(
  context: ConfContext,
  { document, offset }: Place,
  readDefaults: EffectiveOptions["readDefaults"],
): Promise<NamedEffective | undefined> {
  const read = await readConfDocument(context, document);
  if (read === undefined) return undefined;
  const { help, text, surface, version } = read;
  const name = nameOf(document);
  const shown = help.effective(
    {
      own: { name, text },
      surface,
      offset,
      version,
      files: await namedFiles(read, document),
      defaults: await readDefaults(),
      code: await codeOf(help.mainFileAt(text, surface, offset), document.uri),
    },
    translated,
  );
  return shown && { ...shown, name };
}

interface NamedEffective extends EffectiveText {
  readonly name: string;
}

/** Returns the effective conf of the command on the clipboard; undefined if there is none. */
async function effectivePasted(
  { help }: ConfContext,
  readDefaults: EffectiveOptions["readDefaults"],
): Promise<NamedEffective | undefined> {
  const text = await env.clipboard.readText();
  if (!text.includes("spark-submit")) return undefined;
  const name = l10n.t("the pasted command");
  const shown = (await help()).effective(
    {
      own: { name, text },
      surface: "command",
      offset: 0,
      version: newestSparkVersion,
      files: new Map(),
      defaults: await readDefaults(),
      code: undefined,
    },
    translated,
  );
  return shown && { ...shown, name };
}

// Reads a program in the workspace. Undefined for other paths, such as a path inside an image.
async function codeOf(path: string | undefined, from: Uri) {
  const surface = path === undefined ? undefined : surfaceOfFile(path);
  if (path === undefined || surface === undefined) return undefined;
  const uri = await findFile(path, from);
  return uri && { name: path, text: await documentTextOf(uri), surface };
}

const nameOf = ({ uri }: TextDocument): string => uri.path.slice(uri.path.lastIndexOf("/") + 1);
