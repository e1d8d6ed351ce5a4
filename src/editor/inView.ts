import type { Screen } from "./screen.ts";

/** Runs work and shows its progress in the Applications view. */
export const inView = <R>(
  { withProgress }: Pick<Screen, "withProgress">,
  work: (signal: AbortSignal) => Promise<R>,
): Thenable<R> => withProgress({ where: "view of applications" }, work);
