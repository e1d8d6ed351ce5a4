import { msg, type Message } from "../../base/message.ts";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import { PtyEvents } from "../ui/ptyEvents.ts";
import {
  LogConsole,
  type ConsoleFollow,
  type LabelledLog,
  type LogConsoleOptions,
} from "./logConsole.ts";

export interface LogTerminalOptions
  extends
    Omit<LogConsoleOptions, "heldRows" | "screen" | "write">,
    Pick<ConsoleFollow, "mayGrow" | "shown"> {
  /** The first line of the terminal. */
  readonly title: string;
  /** Calls `joined` with the current logs, and again with logs that start later, until the result is disposed. */
  readonly follow: (joined: (logs: readonly LabelledLog[]) => void) => Disposable;
  /** Returns the reasons why the logs have not started. */
  readonly waiting: () => readonly WaitingReason[];
}

/** A reason why a log has not started. */
export interface WaitingReason {
  /** Identifies the reason. `words` may contain an amount that changes. */
  readonly id: string;
  readonly words: Message;
}

const interrupt = "\x03";

/** A terminal that follows the logs of a selection. */
export class LogPty extends PtyEvents<undefined> {
  readonly #options: LogTerminalOptions;
  readonly #onClosed: () => void;
  readonly #following = this.owned.add(new DisposableStore());
  readonly #ended = new Set<string>();
  readonly #notedReasons = new Set<string>();
  readonly console: LogConsole;
  #isOver = false;

  constructor(
    options: LogTerminalOptions,
    shown: Pick<LogConsoleOptions, "heldRows" | "screen">,
    onClosed: () => void,
  ) {
    super(options.log.error);
    this.#options = options;
    this.#onClosed = onClosed;
    this.console = this.owned.add(
      new LogConsole({
        ...shown,
        ...options,
        write: this.write,
      }),
    );
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
        this.#noteWaiting();
        this.#endIfAllEnded();
      }),
    );
  }

  handleInput(input: string): void {
    if (input === interrupt) {
      if (this.#isOver) this.exit(undefined);
      else this.#end(msg("Stopped."));
    } else if (this.#isOver && input === "q") this.exit(undefined);
    else this.console.press(input);
  }

  close(): void {
    this.owned.dispose();
    this.#onClosed();
  }

  /** While no log has started, prints a note about it and each reason, each only once. */
  #noteWaiting(): void {
    const { mayGrow, waiting } = this.#options;
    if (this.console.logCount > 0 || !mayGrow()) return;
    const words = msg("waiting for a container to start");
    for (const reason of [{ id: "", words }, ...waiting()]) {
      if (this.#notedReasons.has(reason.id)) continue;
      this.#notedReasons.add(reason.id);
      this.console.note(reason.words);
    }
  }

  #endIfAllEnded(): void {
    const { logCount } = this.console;
    if (this.#isOver || this.#ended.size < logCount || this.#options.mayGrow()) return;
    this.#end(logCount === 0 ? msg("No log found.") : msg("End of log."));
  }

  #end(words: Message): void {
    this.#isOver = true;
    this.#following.dispose();
    this.console.noteAtOnce(msg`${words} Press Ctrl+C to close.`);
  }
}
