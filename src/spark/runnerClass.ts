/** Spark's main classes that run Python and R programs. */
export const runnerClass = {
  python: "org.apache.spark.deploy.PythonRunner",
  r: "org.apache.spark.deploy.RRunner",
} as const;
