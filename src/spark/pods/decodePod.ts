import { isDnsName } from "../kubernetesNames.ts";
import { executorIdLabel, isDriverRole, roleLabel } from "../labels.ts";
import { unsharedValues, type SharedValues } from "./sharedValues.ts";
import {
  fieldsOf,
  isRecord,
  itemsOf,
  noFields,
  numberOf,
  textOf,
  type Fields,
  textsOf,
} from "../../base/json.ts";
import type {
  ContainerRecord,
  ContainerState,
  DriverFacts,
  PodCondition,
  PodRecord,
} from "./podRecord.ts";

/**
 * Copies the needed fields from a pod's JSON. Never throws: fields of an unexpected type are treated as absent.
 * Undefined without a uid, or with an invalid name or namespace: names are used unquoted in terminals, paths and the
 * clipboard. `shared`: interns values that many pods share.
 */
export function decodePod(json: unknown, shared = unsharedValues): PodRecord | undefined {
  const pod = fieldsOf(json);
  const metadata = fieldsOf(pod["metadata"]);
  const uid = textOf(metadata["uid"]);
  const name = textOf(metadata["name"]);
  const namespace = textOf(metadata["namespace"]) ?? "";
  if (!uid || !name || !isDnsName(name)) return undefined;
  if (namespace !== "" && !isDnsName(namespace)) return undefined;
  const spec = fieldsOf(pod["spec"]);
  const status = fieldsOf(pod["status"]);
  const labels = labelsOf(metadata["labels"], shared);
  const same = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : shared.text(text);
  const owner = ownerOf(metadata["ownerReferences"]);
  const schedulerName = textOf(spec["schedulerName"]);
  return {
    uid,
    name,
    namespace: shared.text(namespace),
    resourceVersion: textOf(metadata["resourceVersion"]) ?? "",
    creationTimestamp: shared.text(textOf(metadata["creationTimestamp"]) ?? ""),
    deletionTimestamp: textOf(metadata["deletionTimestamp"]),
    labels,
    ownerUid: same(textOf(owner["uid"])),
    ownerPod: owner["kind"] === "Pod" ? same(textOf(owner["name"])) : undefined,
    nodeName: same(textOf(spec["nodeName"])),
    ...selectorOf(spec),
    nominatedNodeName: same(textOf(status["nominatedNodeName"])),
    schedulerName: schedulerName === defaultScheduler ? undefined : same(schedulerName),
    restartPolicy: same(textOf(spec["restartPolicy"])),
    phase: same(textOf(status["phase"])),
    reason: textOf(status["reason"]),
    message: textOf(status["message"]),
    podIp: textOf(status["podIP"]),
    startTime: same(textOf(status["startTime"])),
    sparkUser: same(sparkUserOf(spec["containers"])),
    driving: isDriverRole(labels[roleLabel]) ? drivingOf(metadata, spec, status) : undefined,
    ...claimsOf(spec["volumes"]),
    conditions: shared.value(itemsOf(status["conditions"]).map(decodeCondition)),
    containers: shared.value(joinContainers(spec["containers"], status["containerStatuses"])),
    initContainers: shared.value(
      joinContainers(spec["initContainers"], status["initContainerStatuses"]),
    ),
  };
}

function decodeCondition(item: unknown): PodCondition {
  const condition = fieldsOf(item);
  return {
    type: textOf(condition["type"]) ?? "",
    status: textOf(condition["status"]) ?? "",
    reason: textOf(condition["reason"]),
    message: textOf(condition["message"]),
  };
}

function selectorOf(spec: Fields): Pick<PodRecord, "nodeSelector"> {
  if (textOf(spec["nodeName"]) !== undefined) return {};
  const nodeSelector = textsOf(spec["nodeSelector"]);
  return Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector };
}

function claimsOf(volumes: unknown): Pick<PodRecord, "claims"> {
  const claims = itemsOf(volumes).flatMap(
    (volume) => textOf(fieldsOf(fieldsOf(volume)["persistentVolumeClaim"])["claimName"]) ?? [],
  );
  return claims.length === 0 ? {} : { claims };
}

/**
 * Returns containers in the order of the spec, each with the first unused status of its name. Statuses without a
 * container in the spec follow. Spark itself reads statuses only.
 */
function joinContainers(specs: unknown, statuses: unknown): readonly ContainerRecord[] {
  const all = itemsOf(statuses).map(fieldsOf);
  // Indexes of the unused statuses by name, in reverse order, so that `pop` returns the first.
  const left = new Map<unknown, number[]>();
  for (let at = all.length - 1; at >= 0; at -= 1) {
    const name = all[at]?.["name"];
    const places = left.get(name);
    if (places === undefined) left.set(name, [at]);
    else places.push(at);
  }
  const joined = itemsOf(specs).map((item) => {
    const spec = fieldsOf(item);
    const at = left.get(spec["name"])?.pop();
    return joinContainer(spec, (at === undefined ? undefined : all[at]) ?? noFields);
  });
  const rest = [...left.values()].flat().sort((a, b) => a - b);
  for (const at of rest) {
    const status = all[at] ?? noFields;
    if (status !== noFields) joined.push(joinContainer(noFields, status));
  }
  return joined;
}

function joinContainer(spec: Fields, status: Fields): ContainerRecord {
  return {
    name: textOf(spec["name"]) ?? textOf(status["name"]) ?? "",
    image: textOf(spec["image"]) ?? textOf(status["image"]) ?? "",
    firstArgument: textOf(itemsOf(spec["args"])[0]),
    requests: requestsOf(fieldsOf(spec["resources"])["requests"]),
    memoryLimit: textOf(fieldsOf(fieldsOf(spec["resources"])["limits"])["memory"]),
    ...(spec["restartPolicy"] === "Always" && { isSidecar: true as const }),
    ready: status["ready"] === true,
    restartCount: numberOf(status["restartCount"]) ?? 0,
    state: decodeState(status["state"]),
    lastState: decodeState(status["lastState"]),
  };
}

function requestsOf(value: unknown): ContainerRecord["requests"] {
  return isRecord(value) ? textsOf(value) : undefined;
}

// The API sets one of the three states. If several are set, `terminated` wins.
function decodeState(value: unknown): ContainerState | undefined {
  const state = fieldsOf(value);
  const terminated = state["terminated"];
  if (isRecord(terminated)) {
    return {
      kind: "terminated",
      exitCode: numberOf(terminated["exitCode"]),
      signal: numberOf(terminated["signal"]),
      reason: textOf(terminated["reason"]),
      message: textOf(terminated["message"]),
      startedAt: textOf(terminated["startedAt"]),
      finishedAt: textOf(terminated["finishedAt"]),
    };
  }
  const running = state["running"];
  if (isRecord(running)) return { kind: "running", startedAt: textOf(running["startedAt"]) };
  const waiting = state["waiting"];
  if (!isRecord(waiting)) return undefined;
  return {
    kind: "waiting",
    reason: textOf(waiting["reason"]),
    message: textOf(waiting["message"]),
  };
}

function ownerOf(references: unknown): Fields {
  const owners = itemsOf(references).map(fieldsOf);
  return owners.find((owner) => owner["controller"] === true) ?? owners[0] ?? noFields;
}

const defaultScheduler = "default-scheduler";
/** The default of spark.ui.port. */
export const defaultUiPort = 4040;

function drivingOf(metadata: Fields, spec: Fields, status: Fields): DriverFacts {
  const containers = itemsOf(spec["containers"]).map(fieldsOf);
  const ports = containers.flatMap(({ ports }) => itemsOf(ports).map(fieldsOf));
  const uiPort = ports.find(({ name }) => name === "spark-ui")?.["containerPort"];
  const [first] = containers;
  const own = containers.find(({ args }) => itemsOf(args)[0] === "driver") ?? first;
  const statuses = itemsOf(status["containerStatuses"]).map(fieldsOf);
  const imageId = textOf(statuses.find(({ name }) => name === own?.["name"])?.["imageID"]);
  return {
    ...(imageId && { imageId }),
    mainClass: containers.map(({ args }) => mainClassIn(itemsOf(args))).find(isText),
    uiPort: numberOf(uiPort) ?? defaultUiPort,
    exitException: textOf(fieldsOf(metadata["annotations"])["spark.exit-exception"]),
  };
}

const mainClassIn = (args: readonly unknown[]): string | undefined => {
  const at = args.indexOf("--class");
  return at === -1 ? undefined : textOf(args[at + 1]);
};

const isText = (value: string | undefined): value is string => value !== undefined;

function sparkUserOf(containers: unknown): string | undefined {
  for (const container of itemsOf(containers)) {
    for (const item of itemsOf(fieldsOf(container)["env"])) {
      const variable = fieldsOf(item);
      if (variable["name"] === "SPARK_USER") return textOf(variable["value"]);
    }
  }
  return undefined;
}

// Interns all label values except the executor id, which is different for each executor. Returns a copy, which unlike a
// parsed object has no spare capacity.
function labelsOf(value: unknown, shared: SharedValues): Readonly<Record<string, string>> {
  const given = fieldsOf(value);
  const names = Object.keys(given);
  if (!names.every((name) => typeof given[name] === "string")) return textsOf(given);
  const labels = { ...(given as Readonly<Record<string, string>>) };
  for (const name of names) {
    const text = labels[name];
    if (name !== executorIdLabel && text !== undefined) labels[name] = shared.text(text);
  }
  return labels;
}
