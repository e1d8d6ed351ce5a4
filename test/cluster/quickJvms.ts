/**
 * Only the C1 compiler. The JVMs of a test live for seconds, and almost half of the CPU time of a driver's start goes
 * to the C2 compiler.
 */
export const quickJvmOptions = "-XX:TieredStopAtLevel=1";

/** Conf that makes driver and executors start with less CPU time. Spark adds its options to those of a test. */
export const quickJvms = {
  "spark.driver.defaultJavaOptions": quickJvmOptions,
  "spark.executor.defaultJavaOptions": quickJvmOptions,
} as const;

/** The same as lines of a conf file. */
export const quickJvmLines = Object.entries(quickJvms)
  .map(([key, value]) => `${key} ${value}\n`)
  .join("");

/** The same for the JVM of the real spark-submit. */
export const quickSubmitEnv = { SPARK_SUBMIT_OPTS: quickJvmOptions };
