const uiStart = /\bSuccessfully started service 'SparkUI' on port \d+\./;

/** True if a line of a driver's log says that its UI listens. */
export const isUiStart = (line: string): boolean => uiStart.test(line);
