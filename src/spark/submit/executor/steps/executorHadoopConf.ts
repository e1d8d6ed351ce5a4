import { readConfText } from "../../conf/readConf.ts";
import { mountHadoopConf } from "../../driver/steps/hadoopConf.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";

/** Mounts the ConfigMap of the driver's Hadoop configuration. */
export function executorHadoopConf(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const name = readConfText(context, "spark.kubernetes.executor.hadoopConfigMapName");
  return name === undefined || !context.traits.tellsExecutorsOfHadoopConf
    ? spec
    : mountHadoopConf(spec, { name });
}
