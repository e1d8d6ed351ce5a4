import type { Disposable } from "../base/disposable.ts";
import { isAbort } from "../base/isAbort.ts";

/**
 * Work in progress. `dispose` cancels it. `done` settles after the work has finished or was canceled; it resolves
 * after a cancellation, and rejects only for a bug.
 */
export interface Running extends Disposable {
  readonly done: Promise<void>;
}

export function start(work: (signal: AbortSignal) => Promise<void>): Running {
  const stop = new AbortController();
  const done = work(stop.signal).catch((error: unknown) => {
    if (!isAbort(error)) throw error;
  });
  return {
    done,
    dispose: () => {
      stop.abort();
    },
  };
}
