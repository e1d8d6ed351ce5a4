import { translated } from "../ui/translated.ts";
import { l10n, Range, TextEditorRevealType, workspace, type Uri } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { LogPages } from "../../engine/logs/logPages.ts";
import type { LogSource } from "../../engine/ports/logs.ts";
import { startTail, type ContainerUpdates, type TailTarget } from "../../engine/logs/tail.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { ResumeCursor } from "../../spark/logs/resumeCursor.ts";
import type { Application } from "../../spark/pods/application.ts";
import { logScheme } from "../ids.ts";
import type { LogDocuments } from "./logDocuments.ts";
import { logPlainText } from "./logPlainText.ts";
import type { LogsContext } from "./logsContext.ts";
import { endWords, noticeWords } from "./noticeWords.ts";
import { window } from "../ui/window.ts";

/** A log that is open in an editor. */
export interface OpenedLog {
  /** Unique for each run. */
  readonly id: string;
  /** The file name without suffix. */
  readonly name: string;
  readonly pages: LogPages;
  /** Undefined if the log has ended. */
  readonly live:
    | {
        readonly logs: LogSource;
        readonly target: TailTarget;
        readonly news: ContainerUpdates;
        /** Adds a new line. Returns true if the line begins a new page. */
        readonly add: (line: LogLine) => boolean;
        /** The log's applications that are currently known. */
        readonly applications: () => readonly Application[];
      }
    | undefined;
}

interface EditorsContext extends LogsContext {
  /** Marks the applications as followed until disposal. */
  readonly followed: (applications: () => readonly Application[]) => Disposable;
}

interface Shown {
  readonly log: OpenedLog;
  /** Changes when the last page is full. */
  page: number;
  readonly uri: Uri;
  readonly follow: DisposableStore;
}

// VS Code diffs the whole text at each redraw.
const redrawMs = 1_000;

/** Pages of logs in editors. Opens the newest page first; it grows while followed. */
export class LogEditors implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #context: EditorsContext;
  readonly #documents: LogDocuments;
  readonly #shown = new Map<string, Shown>();

  constructor(context: EditorsContext, documents: LogDocuments) {
    this.#context = context;
    this.#documents = documents;
    this.#owned.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === logScheme) this.#forget(uri.toString());
      }),
    );
  }

  /** Shows the newest page. */
  async open(log: OpenedLog): Promise<void> {
    const page = Math.max(0, log.pages.count - 1);
    await this.#show(log, page, log.pages.last, log.pages.last.length - 1);
  }

  /** Shows a line of a page. */
  async openAt(log: OpenedLog, page: number, line: number): Promise<void> {
    const lines = await log.pages.read(page, new AbortController().signal);
    if (lines) await this.#show(log, page, lines, line);
  }

  async turn(way: "older" | "newer"): Promise<void> {
    const shown = this.#active();
    if (shown === undefined) return;
    const page = shown.page + (way === "older" ? -1 : 1);
    if (page < 0 || page >= shown.log.pages.count) {
      const words =
        way === "older"
          ? l10n.t("This is the oldest page of the log.")
          : l10n.t("This is the newest page of the log.");
      void window.showInformationMessage(words);
      return;
    }
    const lines = await shown.log.pages.read(page, new AbortController().signal);
    if (lines === undefined) {
      void window.showInformationMessage(
        l10n.t("The page cannot be read. The node may have deleted it since the log was opened."),
      );
      return;
    }
    await this.#show(shown.log, page, lines, way === "older" ? lines.length - 1 : 0);
  }

  /** Starts or stops following the newest page. */
  follow(): void {
    const shown = this.#active();
    if (shown === undefined) return;
    const { live, pages, name } = shown.log;
    if (live === undefined || shown.page < pages.count - 1) {
      void window.showInformationMessage(
        live === undefined
          ? l10n.t("This log has ended.")
          : l10n.t("Only the newest page can be followed."),
      );
      return;
    }
    if (!shown.follow.isDisposed) {
      shown.follow.dispose();
      return;
    }
    const { clock, random, log, followed } = this.#context;
    const cursor = new ResumeCursor();
    // An unfinished line is read again as a whole.
    const finished = pages.last.filter(({ isUnfinished }) => isUnfinished !== true);
    cursor.accept(finished);
    const lines = finished.map(textOf);
    const growing = new DisposableStore();
    growing.add(followed(live.applications));
    const grown: Shown = { ...shown, follow: growing };
    const key = shown.uri.toString();
    this.#shown.set(key, grown);
    let isDrawn = true;
    const add = (text: string): void => {
      lines.push(text);
      isDrawn = false;
    };
    const tail = growing.add(
      startTail(
        live.logs,
        live.target,
        {
          lines: (more) => {
            for (const line of more) {
              // A full page moves to the older page, and the document starts empty.
              if (live.add(line) && pages.count > 1) {
                grown.page = pages.count - 1;
                lines.splice(0, Infinity, `-- ${l10n.t("earlier lines are on the older page")} --`);
              }
              add(textOf(line));
            }
          },
          notice: (notice) => {
            add(`-- ${translated(noticeWords(notice))} --`);
          },
          ended: (end) => {
            add(`-- ${translated(endWords(end))} --`);
          },
        },
        { clock, random, tailLines: undefined, cursor, ...live.news },
      ),
    );
    const timer = setInterval(() => {
      if (isDrawn) return;
      isDrawn = true;
      this.#redraw(shown.uri, lines);
    }, redrawMs);
    growing.add({
      dispose: () => {
        clearInterval(timer);
      },
    });
    tail.done.catch(log.error);
    window.setStatusBarMessage(l10n.t("Following {0}", name), 3_000);
  }

  dispose(): void {
    for (const { follow } of this.#shown.values()) follow.dispose();
    this.#owned.dispose();
  }

  async #show(
    log: OpenedLog,
    page: number,
    lines: readonly LogLine[],
    line: number,
  ): Promise<void> {
    const uri = this.#documents.keep(pathOf(log, page), lines.map(textOf));
    const stopped = new DisposableStore();
    stopped.dispose();
    this.#forget(uri.toString());
    this.#shown.set(uri.toString(), { log, page, uri, follow: stopped });
    const at = new Range(Math.max(0, line), 0, Math.max(0, line), 0);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: false, selection: at });
  }

  #redraw(uri: Uri, lines: readonly string[]): void {
    const key = uri.toString();
    const editor = window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === key,
    );
    const isAtEnd =
      editor?.visibleRanges.some(({ end }) => end.line >= editor.document.lineCount - 2) === true;
    this.#documents.keep(uri.path, [...lines]);
    if (!editor || !isAtEnd) return;
    const end = new Range(lines.length - 1, 0, lines.length - 1, 0);
    const changed = workspace.onDidChangeTextDocument(({ document }) => {
      if (document !== editor.document) return;
      changed.dispose();
      editor.revealRange(end, TextEditorRevealType.Default);
    });
  }

  /** The log in the active editor. */
  get active(): OpenedLog | undefined {
    return this.#active()?.log;
  }

  #active(): Shown | undefined {
    const uri = window.activeTextEditor?.document.uri;
    return uri && this.#shown.get(uri.toString());
  }

  #forget(key: string): void {
    this.#shown.get(key)?.follow.dispose();
    this.#shown.delete(key);
  }
}

function pathOf({ id, name, pages: { count } }: OpenedLog, page: number): string {
  const file = count <= 1 ? name : l10n.t("{0}, page {1} of {2}", name, page + 1, count);
  return `/${id}/${file}.log`;
}

// Editors would show ANSI color codes.
const textOf = ({ text }: LogLine): string => logPlainText(text);
