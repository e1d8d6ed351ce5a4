import { window } from "vscode";
import { applicationsViewId } from "./ids.ts";
import { withSignal } from "./withSignal.ts";

/** Does work while the tree of applications shows that something is under way. */
export const inView = <R>(work: (signal: AbortSignal) => Promise<R>): Thenable<R> =>
  window.withProgress({ location: { viewId: applicationsViewId } }, (_, token) =>
    withSignal(token, work),
  );
