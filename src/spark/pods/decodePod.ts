import { executorIdLabel, isDriverRole, roleLabel } from "../labels.ts";
import { unlike, type Alike } from "./alike.ts";
import { fieldsOf, isFields, itemsOf, noFields, numberOf, textOf, type Fields } from "./fields.ts";
import type {
  ContainerRecord,
  ContainerState,
  DriverFacts,
  PodCondition,
  PodRecord,
} from "./podRecord.ts";

/**
 * Copies the fields that the extension needs out of a pod as the API writes it. Never throws: a field of
 * an unexpected type counts as absent. Undefined only for what cannot be told apart from other pods: no
 * uid or no name. `alike`: who reads many pods keeps once what they have in common.
 */
export function decodePod(json: unknown, alike = unlike): PodRecord | undefined {
  const pod = fieldsOf(json);
  const metadata = fieldsOf(pod["metadata"]);
  const uid = textOf(metadata["uid"]);
  const name = textOf(metadata["name"]);
  if (!uid || !name) return undefined;
  const spec = fieldsOf(pod["spec"]);
  const status = fieldsOf(pod["status"]);
  const labels = labelsOf(metadata["labels"], alike);
  const same = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : alike.text(text);
  const owner = ownerOf(metadata["ownerReferences"]);
  const schedulerName = textOf(spec["schedulerName"]);
  return {
    uid,
    name,
    namespace: alike.text(textOf(metadata["namespace"]) ?? ""),
    resourceVersion: textOf(metadata["resourceVersion"]) ?? "",
    creationTimestamp: alike.text(textOf(metadata["creationTimestamp"]) ?? ""),
    deletionTimestamp: textOf(metadata["deletionTimestamp"]),
    labels,
    ownerUid: same(textOf(owner["uid"])),
    ownerPod: owner["kind"] === "Pod" ? same(textOf(owner["name"])) : undefined,
    nodeName: same(textOf(spec["nodeName"])),
    nominatedNodeName: same(textOf(status["nominatedNodeName"])),
    schedulerName: schedulerName === defaultScheduler ? undefined : same(schedulerName),
    restartPolicy: same(textOf(spec["restartPolicy"])),
    phase: same(textOf(status["phase"])),
    reason: textOf(status["reason"]),
    message: textOf(status["message"]),
    podIp: textOf(status["podIP"]),
    startTime: same(textOf(status["startTime"])),
    sparkUser: same(sparkUserOf(spec["containers"])),
    driving: isDriverRole(labels[roleLabel]) ? drivingOf(metadata, spec) : undefined,
    conditions: alike.value(itemsOf(status["conditions"]).map(decodeCondition)),
    containers: alike.value(joinContainers(spec["containers"], status["containerStatuses"])),
    initContainers: alike.value(
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

/**
 * Containers in the order of the spec, each with the first status of its name that no other has taken;
 * then the statuses that belong to no container of the spec, as Spark looks at statuses alone.
 */
function joinContainers(specs: unknown, statuses: unknown): readonly ContainerRecord[] {
  const left = itemsOf(statuses).map(fieldsOf);
  const joined: ContainerRecord[] = [];
  for (const item of itemsOf(specs)) {
    const spec = fieldsOf(item);
    const at = left.findIndex((status) => status["name"] === spec["name"]);
    joined.push(joinContainer(spec, at === -1 ? noFields : (left.splice(at, 1)[0] ?? noFields)));
  }
  for (const status of left) {
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
    ready: status["ready"] === true,
    restartCount: numberOf(status["restartCount"]) ?? 0,
    state: decodeState(status["state"]),
    lastState: decodeState(status["lastState"]),
  };
}

function requestsOf(value: unknown): ContainerRecord["requests"] {
  return isFields(value) ? textsOf(value) : undefined;
}

// The API sets one of the three; where a broken writer sets more, the end of a container is what counts.
function decodeState(value: unknown): ContainerState | undefined {
  const state = fieldsOf(value);
  const terminated = state["terminated"];
  if (isFields(terminated)) {
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
  if (isFields(running)) return { kind: "running", startedAt: textOf(running["startedAt"]) };
  const waiting = state["waiting"];
  if (!isFields(waiting)) return undefined;
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
/** Of Spark's own. */
export const defaultUiPort = 4040;

function drivingOf(metadata: Fields, spec: Fields): DriverFacts {
  const containers = itemsOf(spec["containers"]).map(fieldsOf);
  const ports = containers.flatMap(({ ports }) => itemsOf(ports).map(fieldsOf));
  const uiPort = ports.find(({ name }) => name === "spark-ui")?.["containerPort"];
  return {
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

// Most pods differ from the others in their number alone. A copy has no room for more than it holds.
function labelsOf(value: unknown, alike: Alike): Readonly<Record<string, string>> {
  const given = fieldsOf(value);
  const names = Object.keys(given);
  if (!names.every((name) => typeof given[name] === "string")) return textsOf(given);
  const labels = { ...(given as Readonly<Record<string, string>>) };
  for (const name of names) {
    const text = labels[name];
    if (name !== executorIdLabel && text !== undefined) labels[name] = alike.text(text);
  }
  return labels;
}

// `fromEntries` defines properties, so that a label named `__proto__` is a label and nothing else.
function textsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
