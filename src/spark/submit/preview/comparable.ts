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

/** A pod with what is its alone taken out, so that two can be compared line by line. */
export const comparablePod = (pod: JsonObject): JsonObject => without(pod, "");

function without(object: JsonObject, path: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const at = path === "" ? key : `${path}.${key}`;
      if (ownFields.includes(at)) return [];
      return [
        [key, at.endsWith("containers.env") ? withoutOwn(value) : inside(value, at)] as const,
      ];
    }),
  );
}

function inside(value: Json, path: string): Json {
  if (isJsonList(value)) return value.map((item) => inside(item, path));
  if (typeof value === "string") return value.replace(ownVolume, "$1");
  return isJsonObject(value) ? without(value, path) : value;
}

function withoutOwn(variables: Json): Json {
  if (!isJsonList(variables)) return variables;
  return variables.filter(
    (variable) => !isJsonObject(variable) || !ownVariables.includes(textAt(variable, "name") ?? ""),
  );
}

// Of these each run has its own.
const ownKeys =
  /^spark\.(?:app\.(?:id|startTime|submitTime|initial\..*)|driver\.(?:host|port)|kubernetes\.(?:driver\.pod\.name|executor\.podNamePrefix|resource\.prefix|submission\.id)|.*\.file\.upload\..*)$/;

/** The conf of a run, sorted, without what each run has of its own. */
export const comparableConf = (conf: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...conf].filter(([key]) => !ownKeys.test(key)));
