import { EventEmitter, l10n, ThemeIcon, window, type Pseudoterminal, type Terminal } from "vscode";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { Clock, LogSource, Random } from "../../engine/ports.ts";
import { startTail } from "../../engine/tail.ts";
import type { LogTarget } from "../../spark/logs/targets.ts";
import type { Log } from "../log.ts";
import { endWords, noticeWords, TerminalPrinter } from "./terminalPrinter.ts";

export interface LogTerminalOptions {
  /** The tab's name: what is followed. */
  readonly name: string;
  readonly target: LogTarget;
  readonly logs: LogSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** As `TailOptions.hasEnded`. */
  readonly hasEnded: () => boolean | undefined;
}

export interface LogTerminal extends Disposable {
  readonly terminal: Terminal;
  /** False once the log has ended or following was stopped. */
  isFollowing(): boolean;
}

/** Opens a terminal that follows a log. Ctrl+C stops following; closing the terminal does, too. */
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
    isFollowing: () => pty.isFollowing,
    dispose: () => {
      terminal.dispose();
    },
  };
}

const interrupt = "\x03";

class LogPty implements Pseudoterminal {
  readonly #options: LogTerminalOptions;
  readonly #onClosed: () => void;
  readonly #owned = new DisposableStore();
  readonly #writes = this.#owned.add(new EventEmitter<string>());
  readonly #closes = this.#owned.add(new EventEmitter<void>());
  readonly #printer: TerminalPrinter;
  readonly #following = this.#owned.add(new DisposableStore());
  #ended = false;
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;

  constructor(options: LogTerminalOptions, onClosed: () => void) {
    this.#options = options;
    this.#onClosed = onClosed;
    this.#printer = new TerminalPrinter((text) => {
      this.#writes.fire(text);
    }, options.clock);
  }

  get isFollowing(): boolean {
    return !this.#ended;
  }

  open(): void {
    const { target, logs, clock, random, log, hasEnded } = this.#options;
    this.#printer.note(
      l10n.t("{0} in namespace {1}; Ctrl+C stops following", target.pod, target.namespace),
    );
    const stop = new AbortController();
    this.#following.add(
      disposable(() => {
        stop.abort();
      }),
    );
    const tail = startTail(
      logs,
      target,
      {
        lines: (lines) => this.#printer.lines(lines, "", stop.signal),
        notice: (notice) => {
          this.#printer.note(noticeWords(notice));
        },
        ended: (end) => {
          this.#end(endWords(end));
        },
      },
      { clock, random, tailLines: undefined, hasEnded },
    );
    this.#following.add(tail);
    tail.done.catch(log.error);
  }

  handleInput(input: string): void {
    if (this.#ended) this.#closes.fire();
    else if (input === interrupt) this.#end(l10n.t("stopped following"));
  }

  close(): void {
    this.#owned.dispose();
    this.#onClosed();
  }

  #end(words: string): void {
    this.#ended = true;
    this.#following.dispose();
    this.#printer.note(l10n.t("{0}; press any key to close", words));
  }
}
