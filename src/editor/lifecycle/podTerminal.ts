import {
  EventEmitter,
  l10n,
  ThemeIcon,
  type Pseudoterminal,
  type TerminalDimensions,
} from "vscode";
import { disposable, DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { ExecItem, ExecSession, PodExec } from "../../engine/ports/channels.ts";
import { start } from "../../engine/running.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { terminalText } from "../../spark/logs/terminalText.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { Log } from "../log.ts";
import { explainClusterError } from "../showError.ts";
import { window } from "../ui/window.ts";

export interface PodTerminalOptions {
  /** The tab's name. */
  readonly name: string;
  readonly pod: PodRecord;
  readonly exec: PodExec;
  readonly log: Log;
}

/** Opens a shell in Spark's container of a pod. Closing the tab ends the shell, and the shell's end closes the tab. */
export function openPodTerminal(options: PodTerminalOptions): Disposable {
  const terminal = window.createTerminal({
    name: options.name,
    pty: new PodPty(options),
    iconPath: new ThemeIcon("terminal"),
    isTransient: true,
  });
  terminal.show();
  return terminal;
}

// Prefers bash if the image has it.
const shell = ["/bin/sh", "-c", "command -v bash > /dev/null && exec bash || exec sh"];

class PodPty implements Pseudoterminal {
  readonly #options: PodTerminalOptions;
  readonly #owned = new DisposableStore();
  readonly #writes = this.#owned.add(new EventEmitter<string>());
  readonly #closes = this.#owned.add(new EventEmitter<number>());
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;
  #session: ExecSession | undefined;
  /** Input typed before the shell started. */
  #early = "";
  #size = { columns: 80, rows: 24 };
  #hasEnded = false;

  constructor(options: PodTerminalOptions) {
    this.#options = options;
  }

  open(size: TerminalDimensions | undefined): void {
    if (size !== undefined) this.#size = size;
    const running = this.#owned.add(start((signal) => this.#run(signal)));
    running.done.catch(this.#options.log.error);
  }

  handleInput(text: string): void {
    if (this.#hasEnded) this.#closes.fire(0);
    else if (this.#session) this.#session.type(text);
    else this.#early += text;
  }

  setDimensions(size: TerminalDimensions): void {
    this.#size = size;
    this.#session?.resize(size);
  }

  close(): void {
    this.#owned.dispose();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { pod, exec } = this.#options;
    const { namespace, name } = pod;
    const container = sparkContainerOf(pod)?.name;
    const request = { namespace, pod: name, container, command: shell, terminal: this.#size };
    const started = await exec.start(request, signal);
    if (!started.ok) {
      this.#end(explainClusterError(started.error));
      return;
    }
    const session = started.value;
    this.#session = session;
    this.#owned.add(
      disposable(() => {
        session.dispose();
      }),
    );
    session.resize(this.#size);
    if (this.#early !== "") session.type(this.#early);
    for await (const item of session.items) {
      if (this.#owned.isDisposed) return;
      this.#take(item);
    }
  }

  #take(item: ExecItem): void {
    if (item.kind === "output") this.#writes.fire(item.text);
    else if (item.kind === "failed") this.#end(explainClusterError(item.error));
    else if (item.exitCode === 0 || item.exitCode === 130) this.#closes.fire(item.exitCode);
    else this.#end(l10n.t("The shell ended with exit code {0}.", item.exitCode));
  }

  #end(words: string): void {
    this.#hasEnded = true;
    const text = l10n.t("{0} Press any key to close.", words);
    this.#writes.fire(`\r\n\x1b[2m-- ${terminalText(text)} --\x1b[0m\r\n`);
  }
}
