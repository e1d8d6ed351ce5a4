import { append, editObject } from "../../../../base/json.ts";
import { readConfText } from "../../conf/readConf.ts";
import type { ExecutorContext, ExecutorSpec } from "../executorSpec.ts";

const volume = "hadoop-properties";
const mountPath = "/opt/hadoop/conf";

/** Mounts the ConfigMap of the driver's Hadoop configuration. */
export function executorHadoopConf(spec: ExecutorSpec, context: ExecutorContext): ExecutorSpec {
  const name = readConfText(context, "spark.kubernetes.executor.hadoopConfigMapName");
  if (name === undefined || !context.traits.tellsExecutorsOfHadoopConf) return spec;
  const container = append(spec.container, "volumeMounts", [{ name: volume, mountPath }]);
  return {
    ...spec,
    pod: editObject(spec.pod, "spec", (own) =>
      append(own, "volumes", [{ name: volume, configMap: { name } }]),
    ),
    container: append(container, "env", [{ name: "HADOOP_CONF_DIR", value: mountPath }]),
  };
}
