import { isJsonList, isJsonObject, textAt } from "../json.ts";
import type { Json, JsonObject } from "../manifest.ts";

// What is different in every pod, and says nothing about why one behaves unlike another.
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

// The volume of the service account's token has a name made up for each pod.
const ownVolume = /^(kube-api-access)-[a-z0-9]{5}$/;

const ownVariables: readonly string[] = ["SPARK_EXECUTOR_ID", "SPARK_EXECUTOR_POD_NAME"];

/**
 * A pod with what is its alone taken out, so that two can be compared line by line. In other names that hold its own,
 * as those of its host and of its volume claims do, `(pod)` stands instead.
 */
export function comparablePod(pod: JsonObject): JsonObject {
  const name = textAt(isJsonObject(pod["metadata"]) ? pod["metadata"] : {}, "name") ?? "";
  // A host's name holds the end of it.
  const names = [name, name.slice(-longestHostname).replace(/^-+/, "")].filter((one) => one !== "");
  return without(pod, "", names);
}

const longestHostname = 63;

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

// Of these each run has its own.
const ownKeys =
  /^spark\.(?:app\.(?:id|startTime|submitTime|initial\..*)|driver\.(?:bindAddress|host|port)|executorEnv\.SPARK_DRIVER_POD_IP|kubernetes\.(?:driver\.pod\.name|executor\.podNamePrefix|resource\.prefix|submission\.id)|.*\.file\.upload\..*)$/;

/** The conf of a run, sorted, without what each run has of its own. */
export const comparableConf = (conf: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...conf].filter(([key]) => !ownKeys.test(key)));
