import { disposable, type Disposable } from "../base/disposable.ts";

export const abortError = (): Error => new DOMException("The request was canceled", "AbortError");

/** Throws an AbortError whatever the signal's own reason is, so that callers have one thing to catch. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

/** For work that may be given up: any other failure of it is passed on. */
export function ignoreAbort(error: unknown): void {
  if (!isAbort(error)) throw error;
}

/** Calls `listener` once when the signal aborts, at once if it has. */
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

export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/** Aborts with the first of the signals. `AbortSignal.any` would hold on to one that lives for long. */
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

/** Stops waiting when the signal aborts; what is waited for goes on for the others who wait. */
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
