import type { TerminalDimensions } from "vscode";
import { msg, type MessageText } from "../../base/message.ts";
import type { ExecItem, PodExec } from "../../engine/ports/channels.ts";
import { start } from "../../engine/running.ts";
import { terminalText } from "../../spark/logs/terminalText.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import { PtyEvents } from "../ui/ptyEvents.ts";
import { TerminalRelay } from "../ui/terminalRelay.ts";

export interface PodTerminalOptions {
  /** The tab's name. */
  readonly name: string;
  readonly pod: PodRecord;
  /** If undefined, attaches to the container's first process, which keeps running when the tab closes. */
  readonly command: readonly string[] | undefined;
  readonly exec: PodExec;
  /** Called once when the tab closes. */
  readonly closed?: () => void;
  readonly log: Log;
}

type PtyScreen = Pick<Screen, "explainClusterError" | "translated">;

/**
 * A terminal with a program in a pod. If the program exits with code 0 or 130, the tab closes; otherwise it closes at
 * the next key.
 */
export class PodPty extends PtyEvents<number> {
  readonly #options: PodTerminalOptions;
  readonly #screen: PtyScreen;
  readonly #relay = new TerminalRelay(this.write);
  #hasEnded = false;

  constructor(options: PodTerminalOptions, screen: PtyScreen) {
    super(options.log.error);
    this.#options = options;
    this.#screen = screen;
  }

  open(size: TerminalDimensions | undefined): void {
    if (size !== undefined) this.#relay.resize(size);
    const running = this.owned.add(start((signal) => this.#run(signal)));
    running.done.catch(this.#options.log.error);
  }

  handleInput(text: string): void {
    if (this.#hasEnded) this.exit(0);
    else this.#relay.type(text);
  }

  setDimensions(size: TerminalDimensions): void {
    this.#relay.resize(size);
  }

  close(): void {
    this.owned.dispose();
    this.#options.closed?.();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { pod, exec, command } = this.#options;
    const { namespace, name } = pod;
    const container = sparkContainerOf(pod)?.name;
    const request = { namespace, pod: name, container, command, terminal: this.#relay.size };
    const started = await exec.start(request, signal);
    if (!started.ok) {
      this.#end(this.#screen.explainClusterError(started.error));
      return;
    }
    if (command === undefined) this.#note(msg("Attached. Press Enter to see the prompt."));
    const end = await this.#relay.run(started.value, signal);
    if (end !== undefined) this.#take(end);
  }

  #take(item: ExecItem): void {
    if (item.kind === "output") return;
    if (item.kind === "failed") this.#end(this.#screen.explainClusterError(item.error));
    else if (item.exitCode === 0 || item.exitCode === 130) this.exit(item.exitCode);
    else this.#end(msg`The shell ended with exit code ${item.exitCode}.`);
  }

  #end(words: MessageText): void {
    this.#hasEnded = true;
    this.#note(msg`${words} Press any key to close.`);
  }

  #note(words: MessageText): void {
    this.write(`\r\n\x1b[2m-- ${terminalText(this.#screen.translated(words))} --\x1b[0m\r\n`);
  }
}
