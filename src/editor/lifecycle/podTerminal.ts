import {
  EventEmitter,
  l10n,
  ThemeIcon,
  type Pseudoterminal,
  type TerminalDimensions,
} from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { ExecItem, PodExec } from "../../engine/ports/channels.ts";
import { start } from "../../engine/running.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { terminalText } from "../../spark/logs/terminalText.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { Log } from "../log.ts";
import { explainClusterError } from "../showError.ts";
import { TerminalRelay } from "../ui/terminalRelay.ts";
import { window } from "../ui/window.ts";

export interface PodTerminalOptions {
  /** The tab's name. */
  readonly name: string;
  readonly pod: PodRecord;
  /** Undefined: attaches to the container's first process, which continues when the tab closes. */
  readonly command: readonly string[] | undefined;
  readonly exec: PodExec;
  /** Called once when the tab closes. */
  readonly closed?: () => void;
  readonly log: Log;
}

/** Opens a program in Spark's container of a pod. Its end closes the tab. */
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
export const systemShell = ["/bin/sh", "-c", "command -v bash > /dev/null && exec bash || exec sh"];

class PodPty implements Pseudoterminal {
  readonly #options: PodTerminalOptions;
  readonly #owned = new DisposableStore();
  readonly #writes = this.#owned.add(new EventEmitter<string>());
  readonly #closes = this.#owned.add(new EventEmitter<number>());
  readonly #relay = new TerminalRelay((text) => {
    this.#writes.fire(text);
  });
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#closes.event;
  #hasEnded = false;

  constructor(options: PodTerminalOptions) {
    this.#options = options;
  }

  open(size: TerminalDimensions | undefined): void {
    if (size !== undefined) this.#relay.resize(size);
    const running = this.#owned.add(start((signal) => this.#run(signal)));
    running.done.catch(this.#options.log.error);
  }

  handleInput(text: string): void {
    if (this.#hasEnded) this.#closes.fire(0);
    else this.#relay.type(text);
  }

  setDimensions(size: TerminalDimensions): void {
    this.#relay.resize(size);
  }

  close(): void {
    this.#owned.dispose();
    this.#options.closed?.();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { pod, exec, command } = this.#options;
    const { namespace, name } = pod;
    const container = sparkContainerOf(pod)?.name;
    const request = { namespace, pod: name, container, command, terminal: this.#relay.size };
    const started = await exec.start(request, signal);
    if (!started.ok) {
      this.#end(explainClusterError(started.error));
      return;
    }
    if (command === undefined) this.#note(l10n.t("Attached. Press Enter to see the prompt."));
    const end = await this.#relay.run(started.value, signal);
    if (end !== undefined) this.#take(end);
  }

  #take(item: ExecItem): void {
    if (item.kind === "output") return;
    if (item.kind === "failed") this.#end(explainClusterError(item.error));
    else if (item.exitCode === 0 || item.exitCode === 130) this.#closes.fire(item.exitCode);
    else this.#end(l10n.t("The shell ended with exit code {0}.", item.exitCode));
  }

  #end(words: string): void {
    this.#hasEnded = true;
    this.#note(l10n.t("{0} Press any key to close.", words));
  }

  #note(words: string): void {
    this.#writes.fire(`\r\n\x1b[2m-- ${terminalText(words)} --\x1b[0m\r\n`);
  }
}
