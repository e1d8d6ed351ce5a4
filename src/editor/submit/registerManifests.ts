import {
  CodeLens,
  Diagnostic,
  DiagnosticSeverity,
  l10n,
  Location,
  Range,
  workspace,
  type TaskDefinition,
  type TextDocument,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { commands, manifestsKey, taskType } from "../ids.ts";
import type { Log } from "../log.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type { CommandHandlers, TargetArgument } from "../commandArguments.ts";
import type * as submitDoor from "./door.ts";
import type { ChosenManifest } from "./manifestDocuments.ts";
import { isManifest, mentionsManifest, manifestPlaceOf } from "./manifestPlace.ts";
import { notePaths } from "./notePaths.ts";
import { openAt } from "./openAt.ts";
import type { ManifestRemark } from "./checkManifest.ts";
import type { ManifestAsking } from "./previewManifest.ts";
import { languages } from "../ui/languages.ts";
import { window } from "../ui/window.ts";
import { inStatusBar } from "../progress.ts";

export interface ManifestOptions {
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly clusters: ManifestAsking["clusters"];
  /** Runs a submission as a task; "resubmit" replaces the existing object. */
  readonly run: (definition: TaskDefinition, how: "submit" | "resubmit") => Promise<void>;
  readonly documents: ReadOnlyDocuments;
  readonly clock: Clock;
  readonly log: Log;
}

/** The submission commands for manifests. */
export interface Manifests extends Disposable {
  readonly handlers: CommandHandlers<"resubmit" | "suspend" | "resume">;
  /**
   * Submits a manifest. False if neither the argument nor the active editor is a manifest, or if the user chooses
   * another source.
   */
  readonly submit: (argument: TargetArgument) => Promise<boolean>;
  readonly preview: (argument: TargetArgument) => Promise<boolean>;
  readonly check: (argument: TargetArgument) => Promise<boolean>;
  readonly previewChosen: (chosen: ChosenManifest) => Promise<void>;
  /** Checks a manifest. `submit`: called if the user chooses to submit after the check. */
  readonly checkChosen: (chosen: ChosenManifest, submit: () => Promise<void>) => Promise<void>;
}

/** Registers CodeLenses, context keys and commands of operator manifests. */
export function registerManifests(options: ManifestOptions): Manifests {
  const owned = new DisposableStore();
  const shown = owned.add(languages.createDiagnosticCollection("spark-manifest"));
  owned.add(notePaths(manifestsKey, isManifest));
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

  const { run } = options;
  const take =
    (title: string, work: (chosen: ChosenManifest) => Promise<void>, another: string | undefined) =>
    async (argument: TargetArgument): Promise<boolean> => {
      const place = await manifestPlaceOf(argument);
      if (place === undefined) return false;
      const { chooseManifest } = await options.loadSubmit();
      // Without an argument, the manifest in the active editor is only a guess, so offer other sources, too.
      const rest = argument === undefined ? another : undefined;
      const chosen = await chooseManifest(place, title, rest);
      if (chosen === "another") return false;
      if (chosen) await work(chosen);
      return true;
    };
  const another = l10n.t("Run Profile or Another Application…");
  const handler = (
    title: string,
    work: (chosen: ChosenManifest) => Promise<void>,
  ): ((argument: TargetArgument) => Promise<void>) => {
    const taken = take(title, work, undefined);
    return async (argument) => {
      if (await taken(argument)) return;
      void window.showInformationMessage(
        l10n.t("Open a SparkApplication manifest to use {0}.", `"${title}"`),
      );
    };
  };
  const previewChosen: Manifests["previewChosen"] = (chosen) => preview(chosen, options);
  const checkChosen: Manifests["checkChosen"] = (chosen, submit) =>
    check(chosen, submit, shown, options);
  return {
    handlers: {
      resubmit: handler(l10n.t("Resubmit Application"), (chosen) =>
        run(definitionOf(chosen), "resubmit"),
      ),
      suspend: handler(l10n.t("Suspend Application"), (chosen) =>
        change(chosen, "suspend", options),
      ),
      resume: handler(l10n.t("Resume Application"), (chosen) => change(chosen, "resume", options)),
    },
    submit: take(
      l10n.t("Submit Application"),
      (chosen) => run(definitionOf(chosen), "submit"),
      another,
    ),
    preview: take(l10n.t("Preview Submission"), previewChosen, another),
    check: take(
      l10n.t("Check Before Submitting"),
      (chosen) => checkChosen(chosen, () => run(definitionOf(chosen), "submit")),
      another,
    ),
    previewChosen,
    checkChosen,
    dispose: () => {
      owned.dispose();
    },
  };
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
  const { previewManifest, submitWindow } = await options.loadSubmit();
  const told = await asking((signal) =>
    previewManifest(chosen, options, submitWindow.screen, signal),
  );
  if (told === undefined) return;
  const { documents } = options;
  const name = chosen.decoded.manifest.metadata.name ?? "manifest";
  if (told.stored === undefined) return documents.show(`/${name}.yaml`, told.sent);
  await documents.compare(
    { path: `/${name}-sent.yaml`, text: told.sent },
    { path: `/${name}-stored.yaml`, text: told.stored },
    l10n.t("{0}: Sent ↔ Stored (Dry Run)", name),
  );
}

/** Checks a manifest: opens the report, shows its findings in Problems, and offers the next actions. */
async function check(
  chosen: ChosenManifest,
  submit: () => Promise<void>,
  shown: ReturnType<typeof languages.createDiagnosticCollection>,
  { loadSubmit, documents, ...options }: ManifestOptions,
): Promise<void> {
  const { checkManifest, showChecked, submitWindow } = await loadSubmit();
  const { screen } = submitWindow;
  const { document } = chosen;
  const { version } = document;
  const checked = await asking((signal) => checkManifest(chosen, options, screen, signal));
  if (checked === undefined) return;
  const { text, remarks } = checked;
  if (document.version === version) {
    shown.set(
      document.uri,
      remarks.map((remark) => toDiagnostic(document, remark)),
    );
  }
  const name = chosen.decoded.manifest.metadata.name ?? "";
  const wrong = remarks.filter(({ severity }) => severity !== "information");
  const first = wrong.find(({ severity }) => severity === "error") ?? wrong[0];
  const fix = first && (() => openAt(document.uri, toDiagnostic(document, first).range));
  await showChecked(
    { name, text, findings: remarks },
    { submit, fix, save: undefined },
    { documents, clock: options.clock, screen },
  );
}

async function change(
  chosen: ChosenManifest,
  kind: "suspend" | "resume",
  options: ManifestOptions,
): Promise<void> {
  const { changeManifest, submitWindow } = await options.loadSubmit();
  const isDone = await asking((signal) =>
    changeManifest(chosen, kind, options, submitWindow.screen, signal),
  );
  if (!isDone) return;
  const name = chosen.decoded.manifest.metadata.name ?? "";
  void window.showInformationMessage(
    kind === "suspend" ? l10n.t('"{0}" is suspended.', name) : l10n.t('"{0}" is resumed.', name),
  );
}

const asking = <T>(work: (signal: AbortSignal) => Promise<T>): Thenable<T> =>
  inStatusBar(l10n.t("Querying the cluster"), work);

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  unknown: DiagnosticSeverity.Information,
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
