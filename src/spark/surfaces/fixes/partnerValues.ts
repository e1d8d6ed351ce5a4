import type { Catalogue } from "../../conf/catalogue/catalogue.ts";
import type { ValueType } from "../../conf/values/valueType.ts";
import type { SparkVersion } from "../../conf/catalogue/sparkVersions.ts";

/** Common values of keys whose type does not suggest one. */
const commonValues: Readonly<Record<string, readonly string[]>> = {
  "spark.submit.deployMode": ["cluster"],
  "spark.kubernetes.namespace": ["default"],
  "spark.executor.instances": ["2"],
  "spark.dynamicAllocation.maxExecutors": ["10"],
  "spark.memory.offHeap.size": ["1g"],
  "spark.executor.memoryOverhead": ["1g"],
  "spark.executor.memoryOverheadFactor": ["0.4"],
  "spark.executor.pyspark.memory": ["1g"],
  "spark.kubernetes.authenticate.driver.serviceAccountName": ["spark"],
  "spark.dynamicAllocation.cachedExecutorIdleTimeout": ["30min"],
  "spark.dynamicAllocation.shuffleTracking.timeout": ["30min"],
};

/** Returns values to try for a missing key, the most likely first. */
export function partnerValues(
  key: string,
  catalogue: Catalogue,
  version: SparkVersion,
): readonly string[] {
  const own = commonValues[key];
  if (own !== undefined) return own;
  const kind = catalogue.find(key, version)?.entry?.type.kind;
  return (kind === undefined ? undefined : byKind[kind]) ?? [];
}

const byKind: Readonly<Partial<Record<ValueType["kind"], readonly string[]>>> = {
  boolean: ["true", "false"],
  int: ["1", "10"],
  long: ["1", "10"],
  bytes: ["1g"],
  time: ["60s"],
};
