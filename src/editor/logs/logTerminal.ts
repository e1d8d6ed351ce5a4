import { windowConsole } from "./windowConsole.ts";
import { EventEmitter, l10n, ThemeIcon, type Pseudoterminal, type Terminal } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import {
  LogConsole,
  type ConsoleFollow,
  type LabelledLog,
  type LogConsoleOptions,
} from "./logConsole.ts";
import { window } from "../ui/window.ts";
import type { LogView } from "./shownLogs.ts";

export interface LogTerminalOptions
  extends Omit<LogConsoleOptions, "heldRows" | "screen" | "write">, Pick<ConsoleFollow, "mayGrow" | "shown"> {
  /** The first line. */
  readonly title: string;
  /** Calls back with the current logs to follow and with each later one. */
  readonly follow: (joined: (logs: readonly LabelledLog[]) => void) => Disposable;
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
    view: pty.console,
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
  readonly #following = this.#owned.add(new DisposableStore());
  readonly #ended = new Set<string>();
  readonly console: LogConsole;
  #isOver = false;
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;

  constructor(options: LogTerminalOptions, onClosed: () => void) {
    this.#options = options;
    this.#onClosed = onClosed;
    const write = (text: string): void => {
      this.#writes.fire(text);
    };
    this.console = this.#owned.add(new LogConsole({
        ...windowConsole, ...options, write }));
  }

  get isFollowing(): boolean {
    return !this.#isOver;
  }

  open(): void {
    const { title, follow, mayGrow, shown } = this.#options;
    this.console.note(title);
    this.console.noteKeys();
    const following = this.#following.add(
      this.console.follow({
        mayGrow,
        shown,
        ended: (id) => {
          this.#ended.add(id);
          this.#endIfAllEnded();
        },
      }),
    );
    this.#following.add(
      follow((logs) => {
        this.console.join(following, logs);
        this.#endIfAllEnded();
      }),
    );
    if (this.console.logCount === 0 && !this.#isOver) {
      this.console.note(l10n.t("waiting for a container to start"));
    }
  }

  handleInput(input: string): void {
    if (input === interrupt) {
      if (this.#isOver) this.#closes.fire();
      else this.#end(l10n.t("Stopped."));
    } else if (this.#isOver && input === "q") this.#closes.fire();
    else this.console.press(input);
  }

  close(): void {
    this.#owned.dispose();
    this.#onClosed();
  }

  #endIfAllEnded(): void {
    const { logCount } = this.console;
    if (this.#isOver || this.#ended.size < logCount || this.#options.mayGrow()) return;
    this.#end(logCount === 0 ? l10n.t("No log found.") : l10n.t("End of log."));
  }

  #end(words: string): void {
    this.#isOver = true;
    this.#following.dispose();
    this.console.noteAtOnce(l10n.t("{0} Press Ctrl+C to close.", words));
  }
}
