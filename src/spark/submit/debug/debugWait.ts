// The wait for a debugger has a time limit, because the VS Code window that started the program may have ended.

/** The default of `waitMinutes` in a launch configuration, in minutes. */
export const defaultWaitMinutes = 10;
/** The exit code of a driver to which no debugger attached in time. It is that of timeout(1). */
export const noDebuggerExitCode = 124;

/** Returns the first sentence of the log line that a process prints if no debugger attaches in time. */
export const waitWords = (seconds: number | string): string =>
  `No debugger attached within ${seconds} s.`;
