import type { Disposable } from "../base/disposable.ts";

/**
 * Work under way. `dispose` asks it to stop; `done` settles when its last await is over. An abort is no
 * failure: `done` rejects only for a mistake of ours.
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

// By name, as an error may come from another bundle or from the platform.
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
