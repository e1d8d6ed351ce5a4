import type { Uri } from "vscode";
import { msg } from "../../base/message.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { LogPages } from "../../engine/logs/logPages.ts";
import type { LogSource } from "../../engine/ports/logs.ts";
import { start } from "../../engine/running.ts";
import { startTail, type ContainerUpdates, type TailTarget } from "../../engine/logs/tail.ts";
import type { LogLine } from "../../spark/logs/logLine.ts";
import { ResumeCursor } from "../../spark/logs/resumeCursor.ts";
import type { Application } from "../../spark/pods/application.ts";
import { logPlainText } from "./logPlainText.ts";
import type { LogsContext } from "./logsContext.ts";
import { endWords, noticeWords } from "./noticeWords.ts";

export interface OpenedLog {
  /** A prefix of the pod's uid, which distinguishes logs with the same name. */
  readonly id: string;
  /** The file name without suffix. */
  readonly name: string;
  readonly pages: LogPages;
  /** The source for following the log. Undefined for a saved log or the log of a previous container run. */
  readonly live:
    | {
        readonly logs: LogSource;
        readonly target: TailTarget;
        readonly news: ContainerUpdates;
        /** Adds a new line. Returns true if the line begins a new page. */
        readonly add: (line: LogLine) => boolean;
        /** Returns the application of the log; empty if the session does not know it. */
        readonly applications: () => readonly Application[];
      }
    | undefined;
}

/** The editors of the window. `logWindow.ts` implements it. */
export interface LogWindow {
  /** Sets the lines of a document and updates open editors. */
  readonly keep: (path: string, lines: readonly string[]) => Uri;
  /** Opens a document and selects the line. */
  readonly show: (uri: Uri, line: number) => Promise<void>;
  readonly activeUri: () => Uri | undefined;
  /** Scrolls to `line` after the next change of the document, if the end of the document is visible now. */
  readonly keepEndVisible: (uri: Uri, line: number) => void;
  readonly onDidClose: (closed: (uri: Uri) => void) => Disposable;
}

interface EditorsContext extends Pick<LogsContext, "clock" | "log" | "random"> {
  readonly screen: Pick<LogsContext["screen"], "say" | "showInformationMessage" | "translated">;
  /** Saves the logs of the applications until disposal, if the settings enable this. */
  readonly followed: (applications: () => readonly Application[]) => Disposable;
}

interface Shown {
  readonly log: OpenedLog;
  /** Index of the page. Increases when a followed page is full. */
  page: number;
  readonly uri: Uri;
  readonly follow: DisposableStore;
}

// VS Code diffs the whole text on each redraw, so redraw at most once a second.
const redrawMs = 1_000;

/**
 * Shows logs in editors, one page at a time, beginning with the newest page. The newest page grows while it is
 * followed.
 */
export class LogEditors implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #context: EditorsContext;
  readonly #window: LogWindow;
  readonly #shown = new Map<string, Shown>();

  constructor(context: EditorsContext, window: LogWindow) {
    this.#context = context;
    this.#window = window;
    this.#owned.add(
      window.onDidClose((uri) => {
        this.#forget(uri.toString());
      }),
    );
  }

  /** Opens the newest page of a log at its end. */
  async open(log: OpenedLog): Promise<void> {
    const page = Math.max(0, log.pages.count - 1);
    await this.#show(log, page, log.pages.last, log.pages.last.length - 1);
  }

  /** Opens a page of a log at a line. Does nothing if the page cannot be read. */
  async openAt(log: OpenedLog, page: number, line: number): Promise<void> {
    const lines = await log.pages.read(page, new AbortController().signal);
    if (lines) await this.#show(log, page, lines, line);
  }

  async turn(way: "older" | "newer"): Promise<void> {
    const shown = this.#active();
    if (shown === undefined) return;
    const page = shown.page + (way === "older" ? -1 : 1);
    if (page < 0 || page >= shown.log.pages.count) {
      void this.#context.screen.showInformationMessage(
        way === "older"
          ? msg("This is the oldest page of the log.")
          : msg("This is the newest page of the log."),
      );
      return;
    }
    const lines = await shown.log.pages.read(page, new AbortController().signal);
    if (lines === undefined) {
      void this.#context.screen.showInformationMessage(
        msg("The page cannot be read. The node may have deleted it since the log was opened."),
      );
      return;
    }
    await this.#show(shown.log, page, lines, way === "older" ? lines.length - 1 : 0);
  }

  /**
   * Starts or stops following the log in the active editor. Shows a message instead if the log cannot be followed, or
   * if the editor does not show its newest page.
   */
  follow(): void {
    const shown = this.#active();
    if (shown === undefined) return;
    const { clock, random, log, followed, screen } = this.#context;
    const { translated } = screen;
    const { live, pages, name } = shown.log;
    if (live === undefined || shown.page < pages.count - 1) {
      void screen.showInformationMessage(
        live === undefined
          ? msg("This log has ended.")
          : msg("Only the newest page can be followed."),
      );
      return;
    }
    if (!shown.follow.isDisposed) {
      shown.follow.dispose();
      return;
    }
    const cursor = new ResumeCursor();
    // Drop an unfinished line, because the tail reads it again in full.
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
              // The earlier lines have moved to the older page, so the document starts with a note in their place.
              if (live.add(line) && pages.count > 1) {
                grown.page = pages.count - 1;
                const earlier = translated(msg("earlier lines are on the older page"));
                lines.splice(0, Infinity, `-- ${earlier} --`);
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
    const redraws = growing.add(
      start(async (signal) => {
        for (;;) {
          await clock.sleep(redrawMs, signal);
          if (isDrawn) continue;
          isDrawn = true;
          this.#redraw(shown.uri, lines);
        }
      }),
    );
    Promise.all([tail.done, redraws.done]).catch(log.error);
    screen.say(msg`Following ${name}`);
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
    const uri = this.#window.keep(this.#pathOf(log, page), lines.map(textOf));
    const stopped = new DisposableStore();
    stopped.dispose();
    this.#forget(uri.toString());
    this.#shown.set(uri.toString(), { log, page, uri, follow: stopped });
    await this.#window.show(uri, Math.max(0, line));
  }

  #redraw(uri: Uri, lines: readonly string[]): void {
    this.#window.keepEndVisible(uri, lines.length - 1);
    this.#window.keep(uri.path, [...lines]);
  }

  /** The log in the active editor; undefined if the editor shows no log. */
  get active(): OpenedLog | undefined {
    return this.#active()?.log;
  }

  #active(): Shown | undefined {
    const uri = this.#window.activeUri();
    return uri && this.#shown.get(uri.toString());
  }

  #pathOf({ id, name, pages: { count } }: OpenedLog, page: number): string {
    const { translated } = this.#context.screen;
    const file = count <= 1 ? name : translated(msg`${name}, page ${page + 1} of ${count}`);
    return `/${id}/${file}.log`;
  }

  #forget(key: string): void {
    this.#shown.get(key)?.follow.dispose();
    this.#shown.delete(key);
  }
}

// Remove ANSI color codes, which editors show as text.
const textOf = ({ text }: LogLine): string => logPlainText(text);
