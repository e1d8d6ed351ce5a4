import {
  EventEmitter,
  l10n,
  ThemeIcon,
  workspace,
  type Pseudoterminal,
  type Terminal,
} from "vscode";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import {
  followLogs,
  type FollowedLog,
  type FollowLogsPorts,
  type LogFollow,
} from "../../engine/logs/followLogs.ts";
import type { LogRecord } from "../../spark/logs/logRecord.ts";
import {
  sourceColors,
  wholeView,
  type ShownRecord,
  type SourceLabel,
} from "../../spark/logs/logView.ts";
import { LogScreen } from "./logScreen.ts";
import { chooseView, askForText, nextLevel, keyWords } from "./viewChoices.ts";
import { endWords, noticeWords } from "./terminalPrinter.ts";
import { window } from "../ui/window.ts";

/** A log in a terminal, with the label of its lines. */
export interface LabelledLog extends FollowedLog {
  readonly label: string;
}

export interface LogTerminalOptions extends FollowLogsPorts {
  /** The tab's name. */
  readonly name: string;
  /** The first line. */
  readonly title: string;
  /** Calls back with the current logs to follow and with each later one. */
  readonly follow: (joined: (logs: readonly LabelledLog[]) => void) => Disposable;
  /** True if more logs may join after all followed logs have ended. */
  readonly mayGrow: () => boolean;
  /** Called with new records. */
  readonly shown: (records: readonly ShownRecord[], view: LogView) => void;
  readonly openDocument: (view: LogView) => void;
}

/** Read access to a terminal's records. */
export interface LogView {
  readonly name: string;
  readonly records: readonly ShownRecord[];
  labelOf(source: string): string;
  /** Up to `max` records of the same log before a new one. */
  before(shown: ShownRecord, max: number): readonly LogRecord[];
  /** Expands or collapses the stack trace of a record. */
  turn(number: number): void;
}

export interface LogTerminal extends Disposable {
  readonly terminal: Terminal;
  readonly view: LogView;
  /** False once all logs have ended or following was stopped. */
  isFollowing(): boolean;
}

/** Opens a terminal that follows logs. Ctrl+C stops following; closing the terminal does, too. */
export function openLogTerminal(options: LogTerminalOptions, onClosed: () => void): LogTerminal {
  const pty = new LogPty(options, onClosed);
  const terminal = window.createTerminal({
    name: options.name,
    pty,
    iconPath: new ThemeIcon("output"),
    isTransient: true,
  });
  return {
    terminal,
    view: pty,
    isFollowing: () => pty.isFollowing,
    dispose: () => {
      terminal.dispose();
    },
  };
}

const interrupt = "\x03";

class LogPty implements Pseudoterminal, LogView {
  readonly #options: LogTerminalOptions;
  readonly #onClosed: () => void;
  readonly #owned = new DisposableStore();
  readonly #writes = this.#owned.add(new EventEmitter<string>());
  readonly #closes = this.#owned.add(new EventEmitter<void>());
  readonly #following = this.#owned.add(new DisposableStore());
  readonly #labels = new Map<string, { readonly text: string; readonly color: number }>();
  readonly #ended = new Set<string>();
  readonly #screen: LogScreen;
  #width = 0;
  #isOver = false;
  #isWrapped = true;
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;

  constructor(options: LogTerminalOptions, onClosed: () => void) {
    this.#options = options;
    this.#onClosed = onClosed;
    const closed = new AbortController();
    this.#owned.add(
      disposable(() => {
        closed.abort();
      }),
    );
    this.#screen = new LogScreen(
      {
        write: (text) => {
          this.#writes.fire(text);
        },
        clock: options.clock,
        words: {
          late: l10n.t("late"),
          moreLines: (count, number) => l10n.t("… {0} more lines (trace #{1})", count, number),
          sameTrace: (first, times, number) =>
            l10n.t("… the same as trace #{0}, seen {1} times (trace #{2})", first, times, number),
          paused: l10n.t("Paused. Press p to resume."),
          notKept: (lines) => l10n.t("{0} older lines were dropped", lines),
          outOfReach: (rows) =>
            l10n.t("The scrollback holds the last {0} rows. Press o to open all lines.", rows),
          allHidden: l10n.t(
            "All lines are hidden by the level or the filter. Press c to clear both.",
          ),
        },
        labelOf: (source) => this.#label(source),
        heldRows: () => workspace.getConfiguration("terminal.integrated").get("scrollback", 1_000),
      },
      closed.signal,
    );
  }

  get name(): string {
    return this.#options.name;
  }

  get isFollowing(): boolean {
    return !this.#isOver;
  }

  get records(): readonly ShownRecord[] {
    return this.#screen.records;
  }

  labelOf(source: string): string {
    return this.#labels.get(source)?.text ?? source;
  }

  before(shown: ShownRecord, max: number): readonly LogRecord[] {
    return this.#screen.before(shown, max);
  }

  turn(number: number): void {
    this.#screen.turn(number);
  }

  open(): void {
    const { title, follow, log, shown } = this.#options;
    this.#screen.note(title);
    this.#screen.note(keyWords());
    const following = this.#following.add(
      followLogs(this.#options, {
        records: (records) => {
          shown(this.#screen.add(records), this);
          return this.#screen.room();
        },
        notice: (id, notice) => {
          if (notice.kind !== "waiting" || this.#labels.size === 1) {
            this.#note(id, noticeWords(notice));
          }
        },
        ended: (id, end) => {
          this.#ended.add(id);
          this.#note(id, endWords(end));
          this.#endIfAllEnded();
        },
      }),
    );
    following.done.catch(log.error);
    this.#following.add(
      follow((logs) => {
        this.#join(following, logs);
      }),
    );
    if (this.#labels.size === 0 && !this.#isOver) {
      this.#screen.note(l10n.t("waiting for a container to start"));
    }
  }

  handleInput(input: string): void {
    if (input === interrupt) {
      if (this.#isOver) this.#closes.fire();
      else this.#end(l10n.t("Stopped."));
      return;
    }
    this.#press(input).catch(this.#options.log.error);
  }

  close(): void {
    this.#owned.dispose();
    this.#onClosed();
  }

  async #press(key: string): Promise<void> {
    const screen = this.#screen;
    const { choice } = screen;
    switch (key) {
      case "p":
      case " ":
        this.#pause();
        return;
      case "l":
        screen.choose({ leastLevel: nextLevel(choice.leastLevel) });
        return;
      case "/": {
        const text = await askForText(choice.text);
        if (text !== undefined) screen.choose({ text: text === "" ? undefined : text });
        return;
      }
      case "c":
        screen.choose({ leastLevel: wholeView.leastLevel, text: wholeView.text });
        return;
      case "t":
        screen.choose({ timestamps: !choice.timestamps });
        return;
      case "f":
        screen.choose({ folded: !choice.folded });
        return;
      case "w":
        this.#turnWrap();
        return;
      case "o":
        this.#options.openDocument(this);
        return;
      case "?":
      case "m": {
        const chosen = await chooseView(screen, this.#isWrapped);
        if (typeof chosen === "number") screen.turn(chosen);
        else if (chosen !== undefined) await this.#press(chosen);
        return;
      }
      default:
        if (this.#isOver && key === "q") this.#closes.fire();
    }
  }

  #pause(): void {
    if (this.#screen.isPaused) this.#screen.resume();
    else this.#screen.pause();
  }

  #turnWrap(): void {
    this.#isWrapped = !this.#isWrapped;
    this.#writes.fire(this.#isWrapped ? "\x1b[?7h" : "\x1b[?7l");
    this.#screen.redraw();
  }

  #join(following: LogFollow, logs: readonly LabelledLog[]): void {
    for (const one of logs) {
      if (this.#labels.has(one.id)) continue;
      const color = sourceColors[this.#labels.size % sourceColors.length] ?? sourceColors[0];
      this.#labels.set(one.id, { text: one.label, color });
      this.#width = Math.max(this.#width, one.label.length);
      if (this.#labels.size > 1) this.#screen.note(l10n.t("{0} connected", one.label));
      following.join(one);
    }
    this.#endIfAllEnded();
  }

  #label(source: string): SourceLabel {
    const label = this.#labels.get(source);
    if (label === undefined || (this.#labels.size < 2 && !this.#options.mayGrow())) {
      return { text: "", color: 0 };
    }
    return { text: label.text.padEnd(this.#width), color: label.color };
  }

  #note(id: string, words: string): void {
    this.#screen.note(this.#labels.size > 1 ? `${this.labelOf(id)}: ${words}` : words);
  }

  #endIfAllEnded(): void {
    if (this.#isOver || this.#ended.size < this.#labels.size || this.#options.mayGrow()) return;
    this.#end(this.#labels.size === 0 ? l10n.t("No log found.") : l10n.t("End of log."));
  }

  #end(words: string): void {
    this.#isOver = true;
    this.#following.dispose();
    this.#screen.noteAtOnce(l10n.t("{0} Press Ctrl+C to close.", words));
  }
}
