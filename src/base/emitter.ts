import { disposable, type Disposable } from "./disposable.ts";

/** Subscribes a listener. Disposing the result unsubscribes it. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * A source of events. Calls listeners in subscription order. Passes an error of a listener to `onError`, and still
 * calls the other listeners.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // Each subscription needs its own object, so that one function can subscribe twice.
    const entry = { call: listener };
    this.#listeners.add(entry);
    return disposable(() => {
      this.#listeners.delete(entry);
    });
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener.call(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
