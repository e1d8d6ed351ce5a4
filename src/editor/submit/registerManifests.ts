import {
  CodeLens,
  commands as editorCommands,
  Diagnostic,
  DiagnosticSeverity,
  l10n,
  languages,
  Location,
  ProgressLocation,
  Range,
  window,
  workspace,
  type TaskDefinition,
  type TextDocument,
  type Uri,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports.ts";
import { commands, manifestsKey, taskType } from "../ids.ts";
import type { Log } from "../log.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import { registerTrustedCommand } from "../registerCommand.ts";
import { withSignal } from "../withSignal.ts";
import type * as submitDoor from "./door.ts";
import type { ChosenManifest } from "./manifestDocuments.ts";
import { isManifest, mentionsManifest, placeOf } from "./manifestPlace.ts";
import type { ManifestAsking, ManifestRemark } from "./tellManifest.ts";

export interface ManifestOptions {
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly connect: ManifestAsking["connect"];
  /** Runs a task that submits; `resubmits`: what is there under its name is replaced. */
  readonly run: (definition: TaskDefinition, how: "submit" | "resubmit") => Promise<void>;
  readonly documents: ReadOnlyDocuments;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the commands of a submission do with a manifest. */
export interface Manifests extends Disposable {
  /** False if neither the argument nor the active editor means a manifest. */
  readonly submit: (argument: unknown) => Promise<boolean>;
  readonly preview: (argument: unknown) => Promise<boolean>;
  readonly check: (argument: unknown) => Promise<boolean>;
  readonly previewChosen: (chosen: ChosenManifest) => Promise<void>;
  readonly checkChosen: (chosen: ChosenManifest) => Promise<void>;
}

/** Manifests for the operators: their lenses, their menus and their commands. */
export function registerManifests(options: ManifestOptions): Manifests {
  const owned = new DisposableStore();
  const shown = owned.add(languages.createDiagnosticCollection("spark-manifest"));
  owned.add(noteManifests());
  owned.add(
    languages.registerCodeLensProvider(
      { language: "yaml" },
      { provideCodeLenses: (document) => lensesOf(document, options) },
    ),
  );
  owned.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      shown.delete(document.uri);
    }),
  );
  owned.add(
    workspace.onDidCloseTextDocument(({ uri }) => {
      shown.delete(uri);
    }),
  );

  const { log, run } = options;
  const take =
    (title: string, work: (chosen: ChosenManifest) => Promise<void>, another: string | undefined) =>
    async (argument: unknown): Promise<boolean> => {
      const place = await placeOf(argument);
      if (place === undefined) return false;
      const { chooseManifest } = await options.loadSubmit();
      // Who points at a manifest means it; who only has it open may mean something else.
      const rest = argument === undefined ? another : undefined;
      const chosen = await chooseManifest(place, title, rest);
      if (chosen === "another") return false;
      if (chosen) await work(chosen);
      return true;
    };
  const another = l10n.t("$(add) Run profile or another application…");
  const register = (id: string, title: string, work: (chosen: ChosenManifest) => Promise<void>) => {
    const taken = take(title, work, undefined);
    const runs = async (argument: unknown): Promise<void> => {
      if (await taken(argument)) return;
      void window.showInformationMessage(
        l10n.t("{0} is for the manifest of a SparkApplication: open one first.", `"${title}"`),
      );
    };
    owned.add(registerTrustedCommand(id, runs, log));
  };
  register(commands.resubmit, l10n.t("Resubmit Application"), (chosen) =>
    run(definitionOf(chosen), "resubmit"),
  );
  for (const kind of ["suspend", "resume"] as const) {
    const title = kind === "suspend" ? l10n.t("Suspend Application") : l10n.t("Resume Application");
    register(commands[kind], title, (chosen) => change(chosen, kind, options));
  }
  const previewChosen: Manifests["previewChosen"] = (chosen) => preview(chosen, options);
  const checkChosen: Manifests["checkChosen"] = async (chosen) => {
    const remarks = await check(chosen, options);
    if (remarks) shown.set(chosen.document.uri, remarks);
  };
  return {
    submit: take(
      l10n.t("Submit Application"),
      (chosen) => run(definitionOf(chosen), "submit"),
      another,
    ),
    preview: take(l10n.t("Preview Submission"), previewChosen, another),
    check: take(l10n.t("Check Before Submitting"), checkChosen, another),
    previewChosen,
    checkChosen,
    dispose: () => {
      owned.dispose();
    },
  };
}

/** A document as the context key of menus names it. */
const pathOf = ({ scheme, fsPath, path }: Uri): string => (scheme === "file" ? fsPath : path);

// The menus ask for a list of paths, since they cannot look into a file.
function noteManifests(): Disposable {
  const owned = new DisposableStore();
  const paths = new Set<string>();
  const note = (document: TextDocument | undefined): void => {
    if (document === undefined) return;
    const path = pathOf(document.uri);
    const isNew = isManifest(document);
    if (paths.has(path) === isNew) return;
    if (isNew) paths.add(path);
    else paths.delete(path);
    void editorCommands.executeCommand("setContext", manifestsKey, [...paths]);
  };
  owned.add(workspace.onDidOpenTextDocument(note));
  owned.add(workspace.onDidSaveTextDocument(note));
  owned.add(
    window.onDidChangeActiveTextEditor((editor) => {
      note(editor?.document);
    }),
  );
  workspace.textDocuments.forEach(note);
  return owned;
}

async function lensesOf(
  document: TextDocument,
  { loadSubmit }: ManifestOptions,
): Promise<CodeLens[]> {
  const text = document.getText();
  if (!mentionsManifest(text)) return [];
  const { manifestStarts } = await loadSubmit();
  return manifestStarts(text).flatMap((start) => {
    const position = document.positionAt(start);
    const range = new Range(position, position);
    const place = new Location(document.uri, range);
    const lens = (title: string, command: string): CodeLens =>
      new CodeLens(range, { title, command, arguments: [place] });
    const sending = [
      lens(l10n.t("Submit"), commands.submit),
      lens(l10n.t("Preview"), commands.preview),
      lens(l10n.t("Check"), commands.check),
    ];
    return [...(workspace.isTrusted ? sending : []), lens(l10n.t("Convert"), commands.convert)];
  });
}

function definitionOf({ document, decoded }: ChosenManifest): TaskDefinition {
  const { uri } = document;
  const { name } = decoded.manifest.metadata;
  const application = uri.scheme === "file" ? uri.fsPath : uri.toString();
  return { type: taskType, application, ...(name === undefined ? {} : { name }) };
}

async function preview(chosen: ChosenManifest, options: ManifestOptions): Promise<void> {
  const { previewManifest } = await options.loadSubmit();
  const told = await asking((signal) => previewManifest(chosen, options, signal));
  if (told === undefined) return;
  const { documents } = options;
  const name = chosen.decoded.manifest.metadata.name ?? "manifest";
  if (told.stored === undefined) return documents.show(`/${name}.yaml`, told.sent);
  await documents.compare(
    { path: `/${name}-sent.yaml`, text: told.sent },
    { path: `/${name}-stored.yaml`, text: told.stored },
    l10n.t("{0}: as sent ↔ as the cluster would store it", name),
  );
}

async function check(
  chosen: ChosenManifest,
  options: ManifestOptions,
): Promise<readonly Diagnostic[] | undefined> {
  const { checkManifest } = await options.loadSubmit();
  const { document } = chosen;
  const { version } = document;
  const remarks = await asking((signal) => checkManifest(chosen, options, signal));
  if (remarks === undefined || document.version !== version) return undefined;
  const wrong = remarks.filter(({ severity }) => severity !== "information");
  const name = chosen.decoded.manifest.metadata.name ?? "";
  if (wrong.length === 0) {
    void window.showInformationMessage(l10n.t('The cluster would take "{0}" as it is.', name));
  } else {
    await window.showTextDocument(document);
    // The panel's other command would hide it from someone who is looking at it.
    await editorCommands.executeCommand("workbench.panel.markers.view.focus");
  }
  return remarks.map((remark) => toDiagnostic(document, remark));
}

async function change(
  chosen: ChosenManifest,
  kind: "suspend" | "resume",
  options: ManifestOptions,
): Promise<void> {
  const { changeManifest } = await options.loadSubmit();
  const isDone = await asking((signal) => changeManifest(chosen, kind, options, signal));
  if (!isDone) return;
  const name = chosen.decoded.manifest.metadata.name ?? "";
  void window.showInformationMessage(
    kind === "suspend" ? l10n.t('"{0}" is suspended.', name) : l10n.t('"{0}" is resumed.', name),
  );
}

const asking = <T>(work: (signal: AbortSignal) => Promise<T>): Thenable<T> =>
  window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t("Asking the cluster") },
    (_, token) => withSignal(token, work),
  );

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

function toDiagnostic(
  document: TextDocument,
  { span, severity, message, code }: ManifestRemark,
): Diagnostic {
  const range = new Range(document.positionAt(span.start), document.positionAt(span.end));
  const diagnostic = new Diagnostic(range, message, severities[severity]);
  diagnostic.source = "Spark";
  diagnostic.code = code;
  return diagnostic;
}
