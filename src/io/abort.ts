import { disposable, type Disposable } from "../base/disposable.ts";
import { isAbort } from "../base/isAbort.ts";

export const abortError = (): Error => new DOMException("The operation was canceled", "AbortError");

/** Throws an AbortError if the signal is aborted. Does not use `signal.reason`. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

/** For `catch` handlers: ignores an AbortError, and rethrows any other error. */
export function ignoreAbort(error: unknown): void {
  if (!isAbort(error)) throw error;
}

/** Calls `listener` once on abort; immediately if the signal is already aborted. */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  if (signal.aborted) {
    listener();
    return disposable(() => undefined);
  }
  signal.addEventListener("abort", listener, { once: true });
  return disposable(() => {
    signal.removeEventListener("abort", listener);
  });
}

interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Returns a signal that aborts when one of the signals aborts. Disposing the result removes its listeners from
 * long-lived signals, which `AbortSignal.any` cannot do.
 */
export function linkSignals(...signals: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const listeners = signals.map((signal) =>
    onAbort(signal, () => {
      controller.abort();
    }),
  );
  return {
    signal: controller.signal,
    dispose: () => {
      for (const listener of listeners) listener.dispose();
    },
  };
}

/**
 * Settles like `promise`, or rejects with an AbortError when `signal` aborts first. The promise itself continues for
 * other callers.
 */
export async function waitFor<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let listener: Disposable | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    listener = onAbort(signal, () => {
      reject(abortError());
    });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    listener?.dispose();
  }
}
