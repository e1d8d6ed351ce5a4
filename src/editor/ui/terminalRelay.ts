import type { TerminalDimensions } from "vscode";
import type { ExecItem, ExecSession, TerminalSize } from "../../engine/ports/channels.ts";

/** Connects a VS Code terminal to a program with a TTY in a pod. */
export class TerminalRelay {
  readonly #write: (text: string) => void;
  #session: ExecSession | undefined;
  /** Input typed before the program started. */
  #early = "";
  #size: TerminalSize = { columns: 80, rows: 24 };

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  get size(): TerminalSize {
    return this.#size;
  }

  /** True while a program is attached to the terminal. */
  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  type(text: string): void {
    if (this.#session) this.#session.type(text);
    else this.#early += text;
  }

  resize({ columns, rows }: TerminalDimensions): void {
    this.#size = { columns, rows };
    this.#session?.resize(this.#size);
  }

  /**
   * Relays input and output until the program ends or `signal` aborts, and disposes the session. Returns the item that
   * reports the end; undefined after an abort or without such an item.
   */
  async run(session: ExecSession, signal: AbortSignal): Promise<ExecItem | undefined> {
    const end = (): void => {
      session.dispose();
    };
    signal.addEventListener("abort", end, { once: true });
    this.#session = session;
    try {
      session.resize(this.#size);
      if (this.#early !== "") session.type(this.#early);
      this.#early = "";
      for await (const item of session.items) {
        if (signal.aborted) return undefined;
        if (item.kind === "output") this.#write(item.text);
        else return item;
      }
      return undefined;
    } finally {
      this.#session = undefined;
      signal.removeEventListener("abort", end);
      end();
    }
  }
}
