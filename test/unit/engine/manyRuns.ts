/** Number of runs of a property; `SPARK_K8S_RUNS=20` multiplies it by 20. */
export const runs = (count: number): number =>
  Math.ceil(count * Number(process.env["SPARK_K8S_RUNS"] ?? "1"));
