import { isJsonObject, listAt, objectAt, type Json, type JsonObject } from "../../../base/json.ts";

type Line = readonly [key: string, value: Json | undefined];

/** Prints the state of a pod in the format of spark-submit. */
export function podStateLines(pod: JsonObject): readonly string[] {
  const metadata = objectAt(pod, "metadata");
  const spec = objectAt(pod, "spec");
  const status = objectAt(pod, "status");
  const labels = Object.entries(objectAt(metadata, "labels"))
    .map(([key, value]) => `${key} -> ${textOf(value)}`)
    .join(", ");
  const volumes = objectsOf(spec, "volumes")
    .map(({ name }) => textOf(name))
    .join(", ");
  const lines: readonly Line[] = [
    ["pod name", metadata["name"]],
    ["namespace", metadata["namespace"]],
    ["labels", labels],
    ["pod uid", metadata["uid"]],
    ["creation time", metadata["creationTimestamp"]],
    ["service account name", spec["serviceAccountName"]],
    ["volumes", volumes],
    ["node name", spec["nodeName"]],
    ["start time", status["startTime"]],
    ["phase", status["phase"]],
  ];
  const containers = containerStateLines(pod, 2);
  return [
    ...lines.map((line) => print(line, 1)),
    ...(containers.length === 0 ? [print(["container status", undefined], 1)] : []),
    ...(containers.length === 0 ? [] : ["\t container status: ", ...containers]),
  ];
}

/** Prints the states of a pod's containers, separated by empty lines. `indent`: the number of leading tabs. */
export function containerStateLines(pod: JsonObject, indent: number): readonly string[] {
  return objectsOf(objectAt(pod, "status"), "containerStatuses").flatMap((container, index) => {
    const lines = containerLines(container).map((line) => print(line, indent));
    return index === 0 ? lines : ["", ...lines];
  });
}

function containerLines(container: JsonObject): readonly Line[] {
  const head: readonly Line[] = [
    ["container name", container["name"]],
    ["container image", container["image"]],
  ];
  const state = objectAt(container, "state");
  const { running, waiting, terminated } = state;
  if (isJsonObject(running)) {
    return [
      ...head,
      ["container state", "running"],
      ["container started at", running["startedAt"]],
    ];
  }
  if (isJsonObject(waiting)) {
    return [...head, ["container state", "waiting"], ["pending reason", waiting["reason"]]];
  }
  if (isJsonObject(terminated)) {
    return [
      ...head,
      ["container state", "terminated"],
      ["container started at", terminated["startedAt"]],
      ["container finished at", terminated["finishedAt"]],
      ["exit code", terminated["exitCode"]],
      ["termination reason", terminated["reason"]],
    ];
  }
  return [...head, ["container state", undefined]];
}

function print([key, value]: Line, indent: number): string {
  const text = textOf(value);
  return `${"\t".repeat(indent)} ${key}: ${text === "" ? "N/A" : text}`;
}

function objectsOf(parent: JsonObject, key: string): readonly JsonObject[] {
  return listAt(parent, key).filter((item) => isJsonObject(item));
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? `${value}` : "";
}
