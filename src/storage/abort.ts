import { disposable, type Disposable } from "../base/disposable.ts";

export const abortError = (): Error => new DOMException("The upload was canceled", "AbortError");

/** Throws an AbortError whatever the signal's own reason is, so that callers have one thing to catch. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

export const isAbort = (error: unknown): boolean =>
  error instanceof Error && error.name === "AbortError";

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
