/** Something that must be let go of. */
export interface Disposable {
  dispose(): void;
}

/** Told of every disposable that comes and goes, so that a test can count what leaks. */
export interface DisposableObserver {
  created(disposable: Disposable): void;
  disposed(disposable: Disposable): void;
}

/**
 * Owns disposables and lets go of them in reverse order. After `dispose`, an addition is disposed at
 * once; a disposable that throws does not keep the others alive (all errors are thrown at the end).
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

  /** Lets go of one member before the rest. */
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

/** Stands for what is still to come: once it is there it is let go of with this, at once where this is gone by then. */
export function disposableOf(
  coming: Promise<Disposable>,
  onError: (error: unknown) => void,
): Disposable {
  const owned = new DisposableStore();
  coming.then((come) => owned.add(come), onError);
  return owned;
}

export const disposable = (dispose: () => void): Disposable => ({ dispose });
