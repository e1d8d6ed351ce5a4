/**
 * Limits JIT compilation to the C1 compiler. Test JVMs live for seconds, and the C2 compiler uses almost half of the
 * CPU time of a driver's start.
 */
export const quickJvmOptions = "-XX:TieredStopAtLevel=1";

/** Conf that saves CPU time when driver and executors start. Spark prepends these to a test's `extraJavaOptions`. */
export const quickJvms = {
  "spark.driver.defaultJavaOptions": quickJvmOptions,
  "spark.executor.defaultJavaOptions": quickJvmOptions,
} as const;

/** `quickJvms` as lines of a conf file. */
export const quickJvmLines = Object.entries(quickJvms)
  .map(([key, value]) => `${key} ${value}\n`)
  .join("");

/** Environment with the same options for the JVM of the real spark-submit. */
export const quickSubmitEnv = { SPARK_SUBMIT_OPTS: quickJvmOptions };
