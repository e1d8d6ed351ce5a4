import type { Uri } from "vscode";
import { env, l10n, workspace, type TextEditor } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { SelectionRequest, SelectionRunner } from "../../engine/ports/selections.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import {
  csvText,
  markdownText,
  tabbedText,
  type ResultTable,
  type SelectionAnswer,
} from "../../spark/submit/session/selectionAnswer.ts";
import { clientPackage } from "../../spark/submit/session/sessionPort.ts";
import { sessionRows } from "../settings.ts";
import { showProblems } from "../showError.ts";
import {
  openResultPanel,
  type ResultAction,
  type ResultPage,
  type ResultPanel,
} from "../ui/resultPanel.ts";
import { directoryOf } from "../ui/runTask.ts";
import { translated } from "../ui/translated.ts";
import { window } from "../ui/window.ts";
import { choosePython } from "./choosePython.ts";
import { answerPage, runningPage } from "./resultWords.ts";
import type { SessionContext } from "./sessionContext.ts";
import { inNotification } from "../progress.ts";

interface SelectionSession {
  readonly name: string;
  readonly remote: string;
  readonly sparkVersion: string | undefined;
}

/** Runs selections in the user's Python, and shows their results in one panel. */
export class Selections implements Disposable {
  readonly #context: SessionContext;
  readonly #owned = new DisposableStore();
  #runner: { readonly python: string; readonly runner: SelectionRunner } | undefined;
  #panel: ResultPanel | undefined;
  #table: ResultTable | undefined;
  #isRunning = false;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  async run(session: SelectionSession): Promise<void> {
    const editor = window.activeTextEditor;
    const request = editor && selectionOf(editor);
    if (editor === undefined || request === undefined) {
      void window.showInformationMessage(l10n.t("Select Python or SQL in an editor to run it."));
      return;
    }
    if (this.#isRunning) {
      void window.showInformationMessage(l10n.t("Another selection is still running."));
      return;
    }
    this.#isRunning = true;
    try {
      await this.#runIn(session, editor.document.uri, request);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Ends the Python process with its variables. */
  stop(): void {
    this.#runner?.runner.dispose();
    this.#runner = undefined;
  }

  dispose(): void {
    this.stop();
    this.#owned.dispose();
  }

  async #runIn(session: SelectionSession, document: Uri, request: SelectionRequest): Promise<void> {
    const { clock, defaultPython, log } = this.#context;
    const python = await choosePython(document, defaultPython);
    const runner = await this.#runnerOf(python, session.remote, document);
    const began = clock.now();
    this.#show(runningPage(session.name, translated));
    const result = await inNotification(
      l10n.t('Running the selection in "{0}"', session.name),
      (signal) => runner.run(request, signal),
    );
    const failed = l10n.t("Cannot run the selection");
    if (!result.ok) {
      this.#closePanel();
      await showProblems(failed, [redactLine(result.error, defaultSecretRule)], log);
      return;
    }
    const answer = result.value;
    if (answer.kind === "missing") {
      this.stop();
      this.#closePanel();
      await this.#showMissing(answer, python, session);
      return;
    }
    this.#table = answer.kind === "done" ? answer.table : undefined;
    this.#show(answerPage(answer, session.name, clock.now() - began, translated));
  }

  async #runnerOf(python: string, remote: string, document: Uri): Promise<SelectionRunner> {
    const known = this.#runner;
    if (known?.python === python && known.runner.isAlive) return known.runner;
    this.stop();
    const folder = directoryOf(workspace.getWorkspaceFolder(document));
    const runner = await this.#context.startRunner({ python, remote, folder });
    this.#runner = { python, runner };
    return runner;
  }

  #show(page: ResultPage): void {
    const { files, log } = this.#context;
    this.#panel ??= this.#owned.add(
      openResultPanel({
        title: l10n.t("Spark Result"),
        files,
        act: (action) => {
          this.#act(action).catch(log.error);
        },
        closed: () => {
          this.#closePanel();
        },
      }),
    );
    this.#panel.show(page);
  }

  // A panel that is disposed here does not call `closed`, so clear the fields.
  #closePanel(): void {
    if (this.#panel !== undefined) this.#owned.remove(this.#panel);
    this.#panel = undefined;
    this.#table = undefined;
  }

  /** Handles an action of the panel. Takes text from the kept table, never from the page's message. */
  async #act(action: ResultAction): Promise<void> {
    const table = this.#table;
    if (table === undefined) return;
    if (action.kind === "copyCell") {
      await env.clipboard.writeText(table.rows[action.row]?.[action.column] ?? "");
      return;
    }
    if (action.kind === "copy") {
      await env.clipboard.writeText(tabbedText(table));
      return;
    }
    if (action.kind === "copyMarkdown") {
      await env.clipboard.writeText(markdownText(table));
      return;
    }
    const file = await window.showSaveDialog({
      title: l10n.t("Export CSV"),
      filters: { CSV: ["csv"] },
      name: "result.csv",
    });
    if (file !== undefined) {
      await workspace.fs.writeFile(file, new TextEncoder().encode(csvText(table)));
    }
  }

  async #showMissing(
    { module }: Extract<SelectionAnswer, { readonly kind: "missing" }>,
    python: string,
    { sparkVersion }: SelectionSession,
  ): Promise<void> {
    const install = `"${python}" -m pip install "${clientPackage(sparkVersion)}"`;
    const copy = l10n.t("Copy Install Command");
    const text = l10n.t(
      'Python "{0}" cannot run selections: the module "{1}" is missing. Install the Spark Connect client: {2}',
      python,
      module,
      install,
    );
    if ((await window.showErrorMessage(text, copy)) === copy) {
      await env.clipboard.writeText(install);
    }
  }
}

/**
 * Returns the selected text. Without a selection, returns the current line of a program or a whole SQL document.
 * Undefined for other languages and for blank text.
 */
function selectionOf({ document, selection }: TextEditor): SelectionRequest | undefined {
  const { languageId, uri } = document;
  const language =
    languageId === "python" ? "python" : /^(?:spark-)?sql$/.test(languageId) ? "sql" : undefined;
  if (language === undefined) return undefined;
  const isWhole = selection.isEmpty && language === "sql";
  const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
  const code = isWhole ? document.getText() : document.getText(range);
  if (code.trim() === "") return undefined;
  const line = isWhole ? 0 : range.start.line;
  // Include the indentation before the selection, because the following lines are indented, too.
  const indent = document.lineAt(line).text.slice(0, isWhole ? 0 : range.start.character);
  const whole = /^\s*$/.test(indent) ? indent + code : code;
  return { language, code: whole, path: uri.fsPath, line, maxRows: sessionRows() };
}
