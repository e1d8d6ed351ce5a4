import type { Disposable } from "../../base/disposable.ts";
import { openLogTerminal, type LogTerminal, type LogTerminalOptions } from "./logTerminal.ts";

/** The terminals that follow logs, one a container. */
export class LogTerminals implements Disposable {
  readonly #byContainer = new Map<string, LogTerminal>();

  /** Shows the terminal that follows a container; opens one if none does. */
  follow(options: LogTerminalOptions): void {
    const { uid, container } = options.target;
    const key = `${uid}/${container ?? ""}`;
    const known = this.#byContainer.get(key);
    if (known?.isFollowing()) {
      known.terminal.show();
      return;
    }
    known?.dispose();
    const opened = openLogTerminal(options, () => {
      if (this.#byContainer.get(key) === opened) this.#byContainer.delete(key);
    });
    this.#byContainer.set(key, opened);
    opened.terminal.show();
  }

  dispose(): void {
    for (const terminal of [...this.#byContainer.values()]) terminal.dispose();
  }
}
