import { applicationsViewId } from "./ids.ts";
import { withSignal } from "./withSignal.ts";
import { window } from "./ui/window.ts";

/** Runs work with progress in the view of applications. */
export const inView = <R>(work: (signal: AbortSignal) => Promise<R>): Thenable<R> =>
  window.withProgress({ location: { viewId: applicationsViewId } }, (_, token) =>
    withSignal(token, work),
  );
