import { disposable, type Disposable } from "./disposable.ts";

/** Subscribes a listener until the returned disposable is disposed. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * A source of events. Listeners are called in subscription order. An error of one goes to
 * `onError`, and the others are still called.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // A new object, so that one function can subscribe twice.
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
