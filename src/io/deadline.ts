import { disposable, type Disposable } from "../base/disposable.ts";
import { ignoreAbort } from "./abort.ts";
import type { Sleeper } from "./sleeper.ts";

/** Calls `onDue` after `ms`, unless disposed first. */
export function deadline(sleeper: Sleeper, ms: number, onDue: () => void): Disposable {
  const stop = new AbortController();
  void sleeper.sleep(ms, stop.signal).then(onDue, ignoreAbort);
  return disposable(() => {
    stop.abort();
  });
}
