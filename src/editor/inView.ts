import type { Screen } from "./screen.ts";

/** Runs work with progress in the view of applications. */
export const inView = <R>(
  { withProgress }: Pick<Screen, "withProgress">,
  work: (signal: AbortSignal) => Promise<R>,
): Thenable<R> => withProgress({ where: "view of applications" }, work);
