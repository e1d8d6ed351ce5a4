import {
  isJsonList,
  isJsonObject,
  textAt,
  type Json,
  type JsonObject,
} from "../../../base/json.ts";

// Fields that differ between all pods and do not explain a difference in behavior.
const ownFields: readonly string[] = [
  "metadata.creationTimestamp",
  "metadata.generation",
  "metadata.labels.spark-exec-id",
  "metadata.managedFields",
  "metadata.name",
  "metadata.resourceVersion",
  "metadata.uid",
  "metadata.ownerReferences.uid",
  "status.conditions",
  "status.containerStatuses.containerID",
  "status.containerStatuses.state.running.startedAt",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
  "status.startTime",
];

// Matches the volume of the service account token, whose name ends with a generated part.
const ownVolume = /^(kube-api-access)-[a-z0-9]{5}$/;

const ownVariables: readonly string[] = ["SPARK_EXECUTOR_ID", "SPARK_EXECUTOR_POD_NAME"];

/**
 * Returns a pod without its unique fields, so that two pods can be compared line by line. `(pod)` replaces the pod's
 * name in derived names, such as the host name and the names of claims.
 */
export function comparablePod(pod: JsonObject): JsonObject {
  const name = textAt(isJsonObject(pod["metadata"]) ? pod["metadata"] : {}, "name") ?? "";
  // Also replaces the last 63 characters of a long pod name, because a host name contains only these.
  const names = [name, name.slice(-maxHostnameLength).replace(/^-+/, "")].filter(
    (one) => one !== "",
  );
  return without(pod, "", names);
}

const maxHostnameLength = 63;

function without(object: JsonObject, path: string, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const at = path === "" ? key : `${path}.${key}`;
      if (ownFields.includes(at)) return [];
      return [
        [
          key,
          at.endsWith("containers.env") ? withoutOwn(value) : inside(value, at, names),
        ] as const,
      ];
    }),
  );
}

function inside(value: Json, path: string, names: readonly string[]): Json {
  if (isJsonList(value)) return value.map((item) => inside(item, path, names));
  if (typeof value === "string") {
    const text = value.replace(ownVolume, "$1");
    return names.reduce((rest, name) => rest.replaceAll(name, "(pod)"), text);
  }
  return isJsonObject(value) ? without(value, path, names) : value;
}

function withoutOwn(variables: Json): Json {
  if (!isJsonList(variables)) return variables;
  return variables.filter(
    (variable) => !isJsonObject(variable) || !ownVariables.includes(textAt(variable, "name") ?? ""),
  );
}

// Keys whose values differ for each run.
const ownKeys =
  /^spark\.(?:app\.(?:id|startTime|submitTime|initial\..*)|driver\.(?:bindAddress|host|port)|executorEnv\.SPARK_DRIVER_POD_IP|kubernetes\.(?:driver\.pod\.name|executor\.podNamePrefix|resource\.prefix|submission\.id))$/;

const isOfOneRun = (key: string): boolean =>
  ownKeys.test(key) || (key.startsWith("spark.") && key.includes(".file.upload.", 6));

/** Returns the conf of a run without the values that are unique to the run. */
export const comparableConf = (conf: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...conf].filter(([key]) => !isOfOneRun(key)));
