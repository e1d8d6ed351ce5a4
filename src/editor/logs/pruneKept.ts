import type { Disposable } from "../../base/disposable.ts";
import { startTimer } from "../ui/startTimer.ts";

// In ms. A delay until VS Code has started, because pruning is not urgent.
const pruneMs = 10_000;

/**
 * Calls `prune` once, 10 s after the call, which deletes expired saved logs. Does not call it if `find` rejects,
 * because no logs were saved then.
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
