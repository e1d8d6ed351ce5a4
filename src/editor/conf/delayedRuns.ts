import type { Disposable } from "../../base/disposable.ts";

/** Calls `run` once after the given milliseconds, unless the result is disposed first. */
type Timer = (run: () => void, milliseconds: number) => Disposable;

/** Debounces work by name: of several requests with one name, only the latest runs. Nothing runs after `dispose`. */
export class DelayedRuns implements Disposable {
  readonly #waiting = new Map<string, Disposable>();
  readonly #timer: Timer;
  readonly #milliseconds: number;
  #isDisposed = false;

  constructor(timer: Timer, milliseconds: number) {
    this.#timer = timer;
    this.#milliseconds = milliseconds;
  }

  ask(name: string, run: () => void): void {
    this.drop(name);
    if (this.#isDisposed) return;
    const waiting = this.#timer(() => {
      this.#waiting.delete(name);
      run();
    }, this.#milliseconds);
    this.#waiting.set(name, waiting);
  }

  /** Cancels the pending request with that name. */
  drop(name: string): void {
    this.#waiting.get(name)?.dispose();
    this.#waiting.delete(name);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const name of [...this.#waiting.keys()]) this.drop(name);
  }
}
