import { EventEmitter, l10n, type Pseudoterminal } from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import type { Clock } from "../../engine/ports.ts";
import { isAbort } from "../../base/isAbort.ts";
import { start, type Running } from "../../engine/running.ts";
import type { Log } from "../log.ts";
import { TerminalPrinter } from "../logs/terminalPrinter.ts";

/** The work of a run; returns the exit code. The signal aborts on Ctrl+C and when the terminal closes. */
export type RunWork = (printer: TerminalPrinter, signal: AbortSignal) => Promise<number>;

export interface RunTerminalOptions {
  /** Called before the work; false ends the run. */
  readonly mayStart: () => Promise<boolean>;
  readonly work: RunWork;
  /** The message after an abort. */
  readonly stoppedWords: () => string;
  /** Called with the exit code before the terminal closes. */
  readonly ended: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

const interrupt = "\x03";

/** VS Code reports a terminal that fails earlier as one that could not be launched (500 ms). */
const launchMs = 600;

/** A task's terminal. Prints the output of the work and closes with its exit code. */
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
      const rest = openedAt + launchMs - clock.now();
      if (code !== 0 && rest > 0) await clock.sleep(rest, new AbortController().signal);
      this.#options.ended();
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
    // An undo may still be running after the terminal has closed.
    void this.#work?.done.finally(() => {
      this.#owned.dispose();
    });
  }

  async #exitCode(signal: AbortSignal): Promise<number> {
    const { mayStart, work, stoppedWords, log } = this.#options;
    try {
      if (!(await mayStart())) {
        this.#printer.note(l10n.t("not submitted"));
        return 1;
      }
      signal.throwIfAborted();
      return await work(this.#printer, signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) {
        this.#printer.note(stoppedWords());
        // The exit code of a shell after Ctrl+C.
        return 130;
      }
      log.error(error);
      this.#printer.problem("error", l10n.t("Internal error. See the log for details."));
      return 1;
    }
  }
}
