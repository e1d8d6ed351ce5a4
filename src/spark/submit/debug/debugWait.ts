// The wait for a debugger has a time limit, because the window that started the program may have been killed.

/** Minutes; the default of `waitMinutes` in a launch configuration. */
export const defaultWaitMinutes = 10;
/** The exit code of timeout(1). */
export const noDebuggerExitCode = 124;

/** Returns the log line that is printed if no debugger attaches in time. */
export const waitWords = (seconds: number | string): string =>
  `No debugger attached within ${seconds} s.`;
