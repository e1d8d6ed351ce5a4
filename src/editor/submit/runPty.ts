import type { TerminalDimensions } from "vscode";
import { msg, type MessageText } from "../../base/message.ts";
import type { FollowLogsPorts } from "../../engine/logs/followLogs.ts";
import { isAbort } from "../../base/isAbort.ts";
import { start, type Running } from "../../engine/running.ts";
import { LogConsole, type LogConsoleOptions } from "../logs/logConsole.ts";
import type { ShownLogs } from "../logs/shownLogs.ts";
import { PtyEvents } from "../ui/ptyEvents.ts";
import { TerminalRelay } from "../ui/terminalRelay.ts";

/**
 * Runs the stages of a run and returns the exit code. The signal aborts on Ctrl+C and when the terminal closes. While
 * the relay is open, its program receives all keys, including Ctrl+C.
 */
export type RunWork = (
  output: LogConsole,
  signal: AbortSignal,
  relay: TerminalRelay,
) => Promise<number>;

export interface RunTerminalOptions extends FollowLogsPorts {
  /** The task's name. */
  readonly name: string;
  readonly shownLogs: ShownLogs;
  /** Called before the work; false ends the run. */
  readonly mayStart: () => Promise<boolean>;
  readonly work: RunWork;
  /** Returns the message to print after an abort. */
  readonly stoppedWords: () => MessageText;
  /** Called after the work, before the terminal closes. */
  readonly ended: () => void;
}

const interrupt = "\x03";

/**
 * In ms. The terminal of a failed run stays open for at least this time. VS Code reports a terminal that fails within
 * 500 ms as not launched.
 */
const launchMs = 600;

/** A task's terminal: a log terminal that first prints the submission, and that closes with the run's exit code. */
export class RunPty extends PtyEvents<number> {
  readonly #options: RunTerminalOptions;
  readonly #output: LogConsole;
  readonly #relay = new TerminalRelay(this.write);
  #work: Running | undefined;

  constructor(options: RunTerminalOptions, shown: Pick<LogConsoleOptions, "heldRows" | "screen">) {
    super(options.log.error);
    this.#options = options;
    const { shownLogs } = options;
    this.#output = this.owned.add(
      new LogConsole({
        ...options,
        ...shown,
        write: this.write,
        openDocument: (view, number) => {
          shownLogs.openDocument(view, number);
        },
      }),
    );
  }

  open(size: TerminalDimensions | undefined): void {
    if (size !== undefined) this.#relay.resize(size);
    const { clock, log, shownLogs } = this.#options;
    shownLogs.opened(this.#output);
    const openedAt = clock.now();
    const running = start(async (signal) => {
      const code = await this.#exitCode(signal);
      const rest = openedAt + launchMs - clock.now();
      if (code !== 0 && rest > 0) await clock.sleep(rest, new AbortController().signal);
      await this.#output.close();
      this.#options.ended();
      this.exit(code);
    });
    this.#work = running;
    running.done.catch(log.error);
  }

  handleInput(input: string): void {
    if (this.#relay.isOpen) this.#relay.type(input);
    else if (input === interrupt) this.#work?.dispose();
    else this.#output.press(input);
  }

  setDimensions(size: TerminalDimensions): void {
    this.#relay.resize(size);
  }

  close(): void {
    this.#work?.dispose();
    // Dispose only after the work, because an undo may still run after the terminal has closed.
    void this.#work?.done.finally(() => {
      this.owned.dispose();
    });
  }

  async #exitCode(signal: AbortSignal): Promise<number> {
    const { mayStart, work, stoppedWords, log } = this.#options;
    try {
      if (!(await mayStart())) {
        this.#output.note(msg("not submitted"));
        return 1;
      }
      signal.throwIfAborted();
      return await work(this.#output, signal, this.#relay);
    } catch (error) {
      if (isAbort(error) || signal.aborted) {
        this.#output.note(stoppedWords());
        // The exit code of a shell after Ctrl+C.
        return 130;
      }
      log.error(error);
      this.#output.problem("error", msg("Internal error. See the log for details."));
      return 1;
    }
  }
}
