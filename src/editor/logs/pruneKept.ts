import { disposable, type Disposable } from "../../base/disposable.ts";

// Nobody waits for it, and the editor has started by then.
const pruneMs = 10_000;

/** Has what is too old dropped of the kept logs, if `find` finds any: also where nobody keeps or lists them. */
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
