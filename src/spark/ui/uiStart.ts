const uiStart = /\bSuccessfully started service 'SparkUI' on port \d+\./;

/** True if a line of the driver's log reports that the Spark UI has started. */
export const isUiStart = (line: string): boolean => uiStart.test(line);
