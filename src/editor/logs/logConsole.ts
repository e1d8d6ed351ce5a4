import { msg, type Message, type MessageText } from "../../base/message.ts";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import {
  followLogs,
  type FollowedLog,
  type FollowLogsPorts,
  type LogFollow,
} from "../../engine/logs/followLogs.ts";
import type { TailEnd } from "../../engine/logs/tail.ts";
import { sourceColors } from "../../spark/logs/logColors.ts";
import type { LogRecord } from "../../spark/logs/logRecord.ts";
import {
  isFilteredView,
  wholeView,
  type ShownRecord,
  type SourceLabel,
} from "../../spark/logs/logView.ts";
import { defaultSecretRule } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { LogScreen } from "./logScreen.ts";
import { endWords, noticeWords } from "./noticeWords.ts";
import type { LogView } from "./shownLogs.ts";
import {
  allLinesWords,
  askForText,
  chooseView,
  keyWords,
  nextLevel,
  openUiWords,
  screenWords,
  type ViewScreen,
} from "./viewChoices.ts";

/** A log in a terminal, with the label of its lines. */
export interface LabelledLog extends FollowedLog {
  readonly label: string;
}

export interface LogConsoleOptions extends FollowLogsPorts {
  readonly name: string;
  readonly screen: ViewScreen;
  /** Returns the terminal's scrollback, in rows. */
  readonly heldRows: () => number;
  readonly write: (text: string) => void;
  /** Opens the kept lines as a document. `number`: the record to select. */
  readonly openDocument: (view: LogView, number?: number) => void;
}

/** Callbacks for logs that are followed together. */
export interface ConsoleFollow {
  /** Returns true if more logs may join. Then even the lines of a single log have a label. */
  readonly mayGrow: () => boolean;
  /** Called with the records that were added to the screen. */
  readonly shown: (records: readonly ShownRecord[], view: LogView) => void;
  /** Returns true if the caller reports the end of this log itself, so that the console prints no note. */
  readonly isEndTold?: (id: string, end: TailEnd) => boolean;
  /** Called when a log has ended, after the note about it. */
  readonly ended: (id: string) => void;
}

/** The output and the key bindings of a terminal that shows followed logs or a run. */
export class LogConsole implements LogView, Disposable {
  readonly #options: LogConsoleOptions;
  readonly #owned = new DisposableStore();
  readonly #labels = new Map<string, { readonly text: string; readonly color: number }>();
  readonly #screen: LogScreen;
  #width = 0;
  #isWrapped = true;
  #hasKeysNote = false;
  #mayGrow = (): boolean => false;
  #isClosed = false;
  #openUi: (() => Promise<void>) | undefined;

  constructor(options: LogConsoleOptions) {
    this.#options = options;
    const closed = new AbortController();
    this.#owned.add(
      disposable(() => {
        closed.abort();
      }),
    );
    this.#screen = new LogScreen(
      {
        write: options.write,
        clock: options.clock,
        words: screenWords(options.screen.translated),
        labelOf: (source) => this.#label(source),
        heldRows: options.heldRows,
      },
      closed.signal,
    );
  }

  get name(): string {
    return this.#options.name;
  }

  get records(): readonly ShownRecord[] {
    return this.#screen.records;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get openUi(): (() => Promise<void>) | undefined {
    return this.#openUi;
  }

  /** The number of logs that have joined so far. */
  get logCount(): number {
    return this.#labels.size;
  }

  labelOf(source: string): string {
    return this.#labels.get(source)?.text ?? source;
  }

  before(shown: ShownRecord, max: number): readonly LogRecord[] {
    return this.#screen.before(shown, max);
  }

  turn(number: number): void {
    if (this.#isClosed) this.#options.openDocument(this, number);
    else this.#screen.turn(number);
  }

  openDocument(): void {
    this.#options.openDocument(this);
  }

  /** Prints a redacted message between dashes, dimmed to distinguish it from log lines. */
  note(words: MessageText): void {
    this.#screen.note(this.#redacted(words));
  }

  /** As `note`, but red: the failure that ends a run. */
  failure(words: MessageText): void {
    this.#screen.failure(this.#redacted(words));
  }

  /** As `note`, but shows the message at once while paused. */
  noteAtOnce(words: MessageText): void {
    this.#screen.noteAtOnce(this.#redacted(words));
  }

  /** Prints a redacted line without dashes or color. */
  text(words: MessageText): void {
    this.#screen.row(this.#redacted(words));
  }

  /** Prints a redacted problem after the word "error" in red or "warning" in yellow. */
  problem(severity: "error" | "warning", words: MessageText): void {
    const [color, head] =
      severity === "error" ? ([31, msg("error")] as const) : ([33, msg("warning")] as const);
    this.#screen.row(this.#redacted(words), { text: `${this.#redacted(head)}:`, color });
  }

  /** Starts to follow logs, which `join` adds later. Stops when the result is disposed. */
  follow({ mayGrow, shown, ended, isEndTold }: ConsoleFollow): LogFollow {
    this.#mayGrow = mayGrow;
    const following = followLogs(this.#options, {
      records: (records) => {
        shown(this.#screen.add(records), this);
        return this.#screen.room();
      },
      notice: (id, notice) => {
        if (notice.kind === "waiting" && this.#labels.size > 1) return;
        this.#noteOf(id, noticeWords(notice));
      },
      ended: (id, end) => {
        if (isEndTold?.(id, end) !== true) this.#noteOf(id, endWords(end));
        ended(id);
      },
    });
    following.done.catch(this.#options.log.error);
    return following;
  }

  /** Adds logs to the followed ones. Skips logs that have already joined. */
  join(following: LogFollow, logs: readonly LabelledLog[]): void {
    this.noteKeys();
    for (const one of logs) {
      if (this.#labels.has(one.id)) continue;
      const color = sourceColors[this.#labels.size % sourceColors.length] ?? sourceColors[0];
      this.#labels.set(one.id, { text: one.label, color });
      this.#width = Math.max(this.#width, one.label.length);
      if (this.#labels.size > 1) this.note(msg`${one.label} connected`);
      following.join(one);
    }
  }

  /** Prints the link to the driver's Spark UI, once. */
  offerUi(open: () => Promise<void>): void {
    if (this.#openUi !== undefined) return;
    this.#openUi = open;
    this.note(openUiWords());
  }

  /** Prints the key bindings, once. */
  noteKeys(): void {
    if (!this.#hasKeysNote) this.note(keyWords());
    this.#hasKeysNote = true;
  }

  press(key: string): void {
    this.#press(key).catch(this.#options.log.error);
  }

  /**
   * Clears the level and the filter, because keys have no effect afterwards. Resolves when all lines are written to the
   * terminal.
   */
  async close(): Promise<void> {
    if (this.#clear()) this.note(msg("The level and the filter were cleared."));
    // `logLinks.ts` turns this row into a link.
    if (this.#labels.size > 0) this.note(allLinesWords());
    await this.#screen.drained();
    this.#isClosed = true;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #press(key: string): Promise<void> {
    const screen = this.#screen;
    const { choice } = screen;
    switch (key) {
      case "p":
      case " ":
        if (screen.isPaused) screen.resume();
        else screen.pause();
        return;
      case "l":
        screen.choose({ leastLevel: nextLevel(choice.leastLevel) });
        return;
      case "/": {
        const text = await askForText(this.#options.screen, choice.text);
        if (text !== undefined) screen.choose({ text: text === "" ? undefined : text });
        return;
      }
      case "c":
        this.#clear();
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
        this.openDocument();
        return;
      case "?":
      case "m": {
        const chosen = await chooseView(this.#options.screen, screen, this.#isWrapped);
        if (typeof chosen === "number") screen.turn(chosen);
        else if (chosen !== undefined) await this.#press(chosen);
      }
    }
  }

  /** Clears the level and the filter. Returns true if one of them was set. */
  #clear(): boolean {
    if (!isFilteredView(this.#screen.choice)) return false;
    const { leastLevel, text } = wholeView;
    this.#screen.choose({ leastLevel, text });
    return true;
  }

  #turnWrap(): void {
    this.#isWrapped = !this.#isWrapped;
    this.#options.write(this.#isWrapped ? "\x1b[?7h" : "\x1b[?7l");
    this.#screen.redraw();
  }

  #label(source: string): SourceLabel {
    const label = this.#labels.get(source);
    if (label === undefined || (this.#labels.size < 2 && !this.#mayGrow())) {
      return { text: "", color: 0 };
    }
    return { text: label.text.padEnd(this.#width), color: label.color };
  }

  #noteOf(id: string, words: Message): void {
    this.note(this.#labels.size > 1 ? msg`${this.labelOf(id)}: ${words}` : words);
  }

  #redacted(words: MessageText): string {
    return redactLine(this.#options.screen.translated(words), defaultSecretRule);
  }
}
