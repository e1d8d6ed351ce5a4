import { disposable, type Disposable } from "../../base/disposable.ts";

/** Calls `run` once after the given milliseconds, unless the result is disposed first. */
export function startTimer(run: () => void, milliseconds: number): Disposable {
  const timer = setTimeout(run, milliseconds);
  return disposable(() => {
    clearTimeout(timer);
  });
}
