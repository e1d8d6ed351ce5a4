import { DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";

/** The events of a pseudoterminal. `Exit`: the type of its exit code; `undefined` if it has none. */
export class PtyEvents<Exit extends number | undefined> {
  /** Disposed when the terminal closes. */
  protected readonly owned = new DisposableStore();
  readonly #writes: Emitter<string>;
  readonly #closes: Emitter<Exit>;

  constructor(onError: (error: unknown) => void) {
    this.#writes = this.owned.add(new Emitter(onError));
    this.#closes = this.owned.add(new Emitter(onError));
  }

  get onDidWrite(): Emitter<string>["event"] {
    return this.#writes.event;
  }

  get onDidClose(): Emitter<Exit>["event"] {
    return this.#closes.event;
  }

  protected readonly write = (text: string): void => {
    this.#writes.fire(text);
  };

  /** Reports the end of the terminal's process. VS Code then closes the terminal, unless a task keeps it. */
  protected exit(code: Exit): void {
    this.#closes.fire(code);
  }
}
