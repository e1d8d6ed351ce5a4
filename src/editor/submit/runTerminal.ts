import { EventEmitter, l10n, type Pseudoterminal } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports.ts";
import { isAbort, start, type Running } from "../../engine/running.ts";
import type { Log } from "../log.ts";
import { TerminalPrinter } from "../logs/terminalPrinter.ts";

/** What a run does; gives the exit code. Its signal aborts at Ctrl+C and when the terminal is closed. */
export type RunWork = (printer: TerminalPrinter, signal: AbortSignal) => Promise<number>;

export interface RunTerminalOptions {
  readonly work: RunWork;
  /** What is said when the work was stopped. */
  readonly stoppedWords: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

const interrupt = "\x03";

/** How long the editor takes a terminal for one that is being started, and a little more. */
const launchMs = 600;

/** A task's terminal: it prints what one piece of work has to say, and ends with its exit code. */
export class RunTerminal implements Pseudoterminal {
  readonly #options: RunTerminalOptions;
  readonly #owned = new DisposableStore();
  readonly #writes = this.#owned.add(new EventEmitter<string>());
  readonly #closes = this.#owned.add(new EventEmitter<number>());
  readonly #printer: TerminalPrinter;
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;
  #work: Running | undefined;

  constructor(options: RunTerminalOptions) {
    this.#options = options;
    this.#printer = new TerminalPrinter((text) => {
      this.#writes.fire(text);
    }, options.clock);
  }

  open(): void {
    const { clock, log } = this.#options;
    const openedAt = clock.now();
    const running = start(async (signal) => {
      const code = await this.#exitCode(signal);
      // What ends sooner is told as a terminal that could not be started.
      const rest = openedAt + launchMs - clock.now();
      if (code !== 0 && rest > 0) await clock.sleep(rest, new AbortController().signal);
      this.#closes.fire(code);
    });
    this.#work = running;
    running.done.catch(log.error);
  }

  handleInput(input: string): void {
    if (input === interrupt) this.#work?.dispose();
  }

  close(): void {
    this.#work?.dispose();
    // An undo goes on; only the terminal is gone.
    void this.#work?.done.finally(() => {
      this.#owned.dispose();
    });
  }

  async #exitCode(signal: AbortSignal): Promise<number> {
    const { work, stoppedWords, log } = this.#options;
    try {
      return await work(this.#printer, signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) {
        this.#printer.note(stoppedWords());
        // What a shell gives for Ctrl+C.
        return 130;
      }
      log.error(error);
      this.#printer.problem("error", l10n.t("Internal error; the log has the details."));
      return 1;
    }
  }
}
