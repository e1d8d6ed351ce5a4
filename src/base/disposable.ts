/** A resource that must be released. */
export interface Disposable {
  dispose(): void;
}

/** Observes the creation and disposal of stores, so that tests can count leaks. */
interface DisposableObserver {
  created(disposable: Disposable): void;
  disposed(disposable: Disposable): void;
}

/**
 * Owns disposables and disposes them in reverse order of addition. Disposes a member at once if it is added after
 * `dispose`. If some members throw, disposes the others and throws all errors at the end.
 */
export class DisposableStore implements Disposable {
  readonly #members = new Set<Disposable>();
  readonly #observer: DisposableObserver | undefined;
  #disposed = false;

  constructor(observer?: DisposableObserver) {
    this.#observer = observer;
    observer?.created(this);
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(disposable: T): T {
    if (this.#disposed) disposable.dispose();
    else this.#members.add(disposable);
    return disposable;
  }

  /** Removes a member and disposes it. Does nothing if the store does not contain it. */
  remove(disposable: Disposable): void {
    if (this.#members.delete(disposable)) disposable.dispose();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#observer?.disposed(this);
    const members = [...this.#members].reverse();
    this.#members.clear();
    const errors: unknown[] = [];
    for (const member of members) {
      try {
        member.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, "several disposables failed");
  }
}

/**
 * Returns a disposable that owns the disposable of a promise. If the owner is disposed before the promise resolves, it
 * disposes the result as soon as the promise resolves. Calls `onError` if the promise rejects.
 */
export function disposableOf(
  coming: Promise<Disposable>,
  onError: (error: unknown) => void,
): Disposable {
  const owned = new DisposableStore();
  coming.then((come) => owned.add(come), onError);
  return owned;
}

export const disposable = (dispose: () => void): Disposable => ({ dispose });
