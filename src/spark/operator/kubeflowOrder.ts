import { isJsonObject, type JsonObject } from "../../base/json.ts";

/** The usual order of fields in a kubeflow spec. */
const specOrder = [
  ...["type", "mode", "sparkVersion", "image", "imagePullPolicy", "imagePullSecrets"],
  ...["mainClass", "mainApplicationFile", "arguments", "proxyUser", "pythonVersion", "deps"],
  ...["sparkConf", "hadoopConf", "memoryOverheadFactor", "dynamicAllocation", "nodeSelector"],
  ...["driver", "executor"],
];

const roleOrder = [
  ...["image", "instances", "cores", "coreRequest", "coreLimit", "memory", "memoryOverhead"],
  ...["serviceAccount", "podName", "labels", "annotations", "envVars", "envSecretKeyRefs"],
];

export const sortKubeflowFields = (spec: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(sorted(spec, specOrder)).map(([name, value]) => [
      name,
      isJsonObject(value) && (name === "driver" || name === "executor")
        ? sorted(value, roleOrder)
        : value,
    ]),
  );

// Sorts the fields by `names`. Unlisted fields come last.
function sorted(fields: JsonObject, names: readonly string[]): JsonObject {
  const known = names.filter((name) => name in fields);
  return Object.fromEntries(
    [...new Set([...known, ...Object.keys(fields)])].map((name) => [name, fields[name] ?? null]),
  );
}
