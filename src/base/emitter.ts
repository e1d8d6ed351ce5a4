import { disposable, type Disposable } from "./disposable.ts";

/** Subscribes a listener; it hears every later event until the returned disposable is disposed. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * A source of events. Listeners are called in the order of subscription; one that throws does not
 * keep the event from the others: the error goes to `onError`.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // An object of its own, so that one function can be subscribed twice.
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
