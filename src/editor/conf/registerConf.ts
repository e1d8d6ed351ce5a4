import { translated } from "../ui/translated.ts";
import {
  commands,
  CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
  Location,
  SnippetString,
  Uri,
  workspace,
  type Memento,
  type TextDocument,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { ConfDiagnostic } from "../../spark/conf/lint/diagnoseConf.ts";
import type { SparkVersion } from "../../spark/conf/catalogue/sparkVersions.ts";
import { surfaceOfFile } from "../../spark/surfaces/surfaceOfFile.ts";
import type { Surface } from "../../spark/surfaces/surfaces.ts";
import type { CommandHandlers } from "../commandArguments.ts";
import type { CommandOf } from "../commandTable.ts";
import { settingsSection } from "../ids.ts";
import {
  confEditedKey,
  confLanguage,
  languageSurfaces,
  rulePageScheme,
  rulesSetting,
  sparkVersionSetting,
} from "./confIds.ts";
import { namedFiles, rangeOf, readConfDocument, type ConfContext } from "./confContext.ts";
import { DelayedRuns } from "./delayedRuns.ts";
import { inSlices } from "../../engine/eventLoop.ts";
import type { ConfDoor, ConfHelp } from "./door.ts";
import { isEditable } from "./isEditable.ts";
import { registerCommandLens } from "./registerCommandLens.ts";
import { registerDetection } from "./registerDetection.ts";
import { registerEffective, type EffectiveOptions, type ShowLayers } from "./registerEffective.ts";
import { upgradeHandler } from "./upgradeHandler.ts";
import { registerFixes, silenceRule } from "./registerFixes.ts";
import { registerLayout } from "./registerLayout.ts";
import { registerNames, type NamesInCluster } from "./registerNames.ts";
import { registerPlaces } from "./registerPlaces.ts";
import { ProjectVersions } from "./projectVersions.ts";
import { registerTotals } from "./registerTotals.ts";
import { registerVersionStatus } from "./registerVersionStatus.ts";
import { severityChoices } from "./severityChoices.ts";
import { languages } from "../ui/languages.ts";
import { markdownOfOwn } from "../ui/markdown.ts";
import { startTimer } from "../ui/startTimer.ts";

/** Debounce of the diagnosis while the user types, in ms. */
const pauseMs = 100;

interface ConfOptions extends EffectiveOptions {
  /** True if the extension can submit to a cluster; false in a browser. */
  readonly canSubmit: boolean;
  readonly namesInCluster: NamesInCluster;
  readonly memory: Memento;
}

interface ConfFeature extends Disposable {
  readonly handlers: CommandHandlers<CommandOf<"conf">>;
  /** Shows the effective conf that results from the layers. Strikes out overridden properties. */
  readonly showLayers: ShowLayers;
}

/** Registers help for conf documents. Loads the lazy bundle with the first such document. */
export function registerConf(
  load: () => Promise<ConfDoor>,
  options: ConfOptions,
  log: { readonly error: (error: unknown) => void },
): ConfFeature {
  const owned = new DisposableStore();
  const shown = owned.add(languages.createDiagnosticCollection(confLanguage));
  const runs = owned.add(new DelayedRuns(startTimer, pauseMs));
  let opened: Promise<ConfHelp> | undefined;
  const help = (): Promise<ConfHelp> => (opened ??= load().then(({ openConf }) => openConf()));

  const versions = owned.add(new ProjectVersions(help));
  const sparkVersionOf = ({ uri }: TextDocument): SparkVersion => versions.versionOf(uri).version;
  const context: ConfContext = {
    help,
    surfaceOf: (document) =>
      mayHoldSettings(document) ? languageSurfaces.get(document.languageId) : undefined,
    versionOf: sparkVersionOf,
    log,
  };

  const diagnose = async (document: TextDocument, surface: Surface): Promise<void> => {
    const { version } = document;
    const read = await readConfDocument(context, document);
    if (read === undefined) return;
    const files = await namedFiles(read, document);
    await versions.learn(document.uri);
    // Stop if the document has changed meanwhile: the change has scheduled its own run.
    const isOver = (): boolean =>
      owned.isDisposed || document.isClosed || document.version !== version;
    if (isOver()) return;
    const steps = read.help.diagnosing(
      document.getText(),
      surface,
      sparkVersionOf(document),
      severityChoices(workspace.getConfiguration(settingsSection, document).get(rulesSetting)),
      files,
    );
    const found = await inSlices(steps, isOver);
    if (found === undefined) return;
    shown.set(
      document.uri,
      found.map((one) => toDiagnostic(document, one)),
    );
  };
  const start = (document: TextDocument): void => {
    const surface = languageSurfaces.get(document.languageId);
    if (surface === undefined) return;
    if (mayHoldSettings(document) && canEdit(document))
      diagnose(document, surface).catch(log.error);
    else shown.delete(document.uri);
  };

  owned.add(registerVersionStatus(context, versions));
  owned.add(registerDetection(options.memory, canEdit, log.error));
  owned.add(
    versions.onDidChange(() => {
      workspace.textDocuments.forEach(start);
    }),
  );
  owned.add(workspace.onDidOpenTextDocument(start));
  owned.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (!languageSurfaces.has(document.languageId)) return;
      // This context key completes a step of the walkthrough.
      if (document.languageId === confLanguage && document.isDirty) {
        void commands.executeCommand("setContext", confEditedKey, true);
      }
      runs.ask(document.uri.toString(), () => {
        start(document);
      });
    }),
  );
  owned.add(
    workspace.onDidCloseTextDocument(({ uri }) => {
      runs.drop(uri.toString());
      shown.delete(uri);
    }),
  );
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      const settings = [sparkVersionSetting, rulesSetting];
      if (!settings.some((name) => change.affectsConfiguration(`${settingsSection}.${name}`)))
        return;
      workspace.textDocuments.forEach(start);
    }),
  );
  const documents = [...languageSurfaces.keys()].map((language) => ({ language }));
  owned.add(
    languages.registerCompletionItemProvider(
      documents,
      {
        provideCompletionItems: async (document, position, token) => {
          const surface = languageSurfaces.get(document.languageId);
          if (surface === undefined || !mayHoldSettings(document)) return [];
          const { complete } = await help();
          if (token.isCancellationRequested) return [];
          const offset = document.offsetAt(position);
          const version = sparkVersionOf(document);
          return complete(document.getText(), surface, offset, version).map((proposal) => {
            const item = new CompletionItem(proposal.label, itemKinds[proposal.kind]);
            if (proposal.detail !== undefined) item.detail = translated(proposal.detail);
            if (proposal.description !== undefined)
              item.documentation = markdownOfOwn([translated(proposal.description)]);
            const { snippet } = proposal;
            item.insertText = snippet === undefined ? proposal.text : new SnippetString(snippet);
            item.filterText = proposal.text;
            const range = rangeOf(document, proposal.replaces);
            // Do not set a multi-line range, such as a key with a continuation line, because VS Code rejects it.
            if (range.isSingleLine) item.range = range;
            item.sortText = `${proposal.rank}${proposal.label}`;
            if (proposal.isDeprecated) item.tags = [CompletionItemTag.Deprecated];
            return item;
          });
        },
      },
      ".",
      "=",
      " ",
    ),
  );
  owned.add(
    languages.registerHoverProvider(documents, {
      provideHover: async (document, position, token) => {
        const read = await readConfDocument(context, document);
        if (read === undefined || token.isCancellationRequested) return undefined;
        const { help, text: own, surface, version } = read;
        const files = await namedFiles(read, document);
        const found = help.hover(own, surface, document.offsetAt(position), version, files);
        if (found === undefined) return undefined;
        return {
          contents: markdownOfOwn(found.paragraphs.map((paragraph) => translated(paragraph))),
          range: rangeOf(document, found.span),
        };
      },
    }),
  );
  owned.add(
    workspace.registerTextDocumentContentProvider(rulePageScheme, {
      provideTextDocumentContent: async ({ path }) =>
        (await help()).plainRulePage(path.replace(/\.txt$/, ""), translated) ?? "",
    }),
  );
  owned.add(registerTotals(context, documents));
  owned.add(registerFixes(context, documents, shown));
  owned.add(registerPlaces(context, documents));
  owned.add(registerLayout(context));
  owned.add(registerNames(context, documents, options.namesInCluster));
  if (options.canSubmit) owned.add(registerCommandLens(context));
  const { showLayers, explain } = owned.add(registerEffective(context, options));
  workspace.textDocuments.forEach(start);
  return {
    handlers: {
      explainConf: explain,
      upgradeConf: upgradeHandler(context, options.documents),
      silenceRule,
    },
    showLayers,
    dispose: () => {
      owned.dispose();
    },
  };
}

const canEdit = ({ uri: { scheme } }: TextDocument): boolean =>
  isEditable(scheme, workspace.fs.isWritableFileSystem(scheme));

// Do not load the lazy bundle for programs and manifests without Spark properties, which are the majority.
const mayHoldSettings = (document: TextDocument): boolean =>
  document.languageId === confLanguage ||
  (isOfSurface(document) && /spark/i.test(document.getText()));

// JSON files other than tasks.json and workspace files contain no run profiles.
const isOfSurface = ({ languageId, uri }: TextDocument): boolean =>
  languageId !== "jsonc" || surfaceOfFile(uri.path) === "profiles";

const itemKinds = {
  key: CompletionItemKind.Property,
  family: CompletionItemKind.Module,
  value: CompletionItemKind.EnumMember,
} as const;

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const;

const looks = {
  deprecated: DiagnosticTag.Deprecated,
  unnecessary: DiagnosticTag.Unnecessary,
} as const;

function toDiagnostic(document: TextDocument, found: ConfDiagnostic): Diagnostic {
  const { span, message, severity, code, look, related } = found;
  const words = translated(message);
  const diagnostic = new Diagnostic(rangeOf(document, span), words, severities[severity]);
  diagnostic.source = "Spark";
  diagnostic.code = /^R\d/.test(code) ? { value: code, target: pageOf(code) } : code;
  if (look !== undefined) diagnostic.tags = [looks[look]];
  if (related !== undefined) {
    const place = new Location(document.uri, rangeOf(document, related.span));
    const words = translated(related.message);
    diagnostic.relatedInformation = [new DiagnosticRelatedInformation(place, words)];
  }
  return diagnostic;
}

const pageOf = (code: string): Uri => Uri.from({ scheme: rulePageScheme, path: `${code}.txt` });
