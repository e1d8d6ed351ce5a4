import { disposable, type Disposable } from "../../base/disposable.ts";

// Pruning is not urgent, so it waits until VS Code has started.
const pruneMs = 10_000;

/** Deletes expired saved logs once per session. `find` rejects if there are none. */
export function pruneKept(
  find: () => PromiseLike<unknown>,
  prune: () => Promise<void>,
  onError: (error: unknown) => void,
): Disposable {
  const later = setTimeout(() => {
    Promise.resolve(find())
      .then(prune, () => undefined)
      .catch(onError);
  }, pruneMs);
  return disposable(() => {
    clearTimeout(later);
  });
}
