/** How often a property is tried: `SPARK_K8S_RUNS=20` tries each twenty times as often. */
export const runs = (count: number): number =>
  Math.ceil(count * Number(process.env["SPARK_K8S_RUNS"] ?? "1"));
