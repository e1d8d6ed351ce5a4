import type { Disposable } from "../../base/disposable.ts";
import { startTimer } from "../ui/startTimer.ts";

// Delay until VS Code has started, because pruning is not urgent.
const pruneMs = 10_000;

/**
 * Deletes expired saved logs once, 10 s after the call. `find` rejects if no logs were saved; then nothing is loaded.
 */
export function pruneKept(
  find: () => PromiseLike<unknown>,
  prune: () => Promise<void>,
  onError: (error: unknown) => void,
): Disposable {
  return startTimer(() => {
    Promise.resolve(find())
      .then(prune, () => undefined)
      .catch(onError);
  }, pruneMs);
}
