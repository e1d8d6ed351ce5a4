// A program that waits for a debugger must end even if the window that started it was killed.

/** Used unless the launch configuration sets `waitMinutes`. */
export const defaultWaitMinutes = 10;
/** That of timeout(1). */
export const noDebuggerExitCode = 124;

/** The line of a log about the end of the wait. */
export const waitWords = (seconds: number | string): string =>
  `No debugger attached within ${seconds} s.`;
