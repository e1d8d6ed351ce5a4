/** Returns the number of runs of a property test: `count` times SPARK_K8S_RUNS, which is 1 by default. */
export const runs = (count: number): number =>
  Math.ceil(count * Number(process.env["SPARK_K8S_RUNS"] ?? "1"));
