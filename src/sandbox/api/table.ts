import {
  type JsonValue,
  type JsonArray,
  type JsonMembers,
  type KubeObject,
  plainTextOf,
} from "../kubeObject.ts";
import { items } from "../rules/podRules.ts";
import { asObject } from "../schema/schema.ts";
import { apiVersionOf, type Kind } from "./kinds.ts";

/** Builds the Table that `kubectl get` requests: `Accept: application/json;as=Table;v=v1;g=meta.k8s.io`. */
export function table(
  kind: Kind,
  objects: readonly KubeObject[],
  metadata: JsonMembers,
  includeObject: string,
  now: number,
): JsonMembers {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: kind.columns.map((column) => ({ ...column, description: "" })),
    rows: objects.map((object) => ({
      cells: cellsOf(kind, object, now),
      object:
        includeObject === "None" ? null : includeObject === "Object" ? object : partial(object),
    })),
  };
}

export const partial = ({ metadata }: KubeObject): JsonMembers => ({
  kind: "PartialObjectMetadata",
  apiVersion: "meta.k8s.io/v1",
  metadata,
});

function cellsOf(kind: Kind, object: KubeObject, now: number): JsonArray {
  const { custom, columns } = kind;
  if (custom !== undefined) {
    const values = custom.columnPaths.map((path, index) => {
      const value = jsonPath(object, path);
      return columns[index + 1]?.type === "date" ? ageOf(value, now) : (value ?? null);
    });
    return [object.metadata.name, ...values];
  }
  const cells = cellsByKind[`${apiVersionOf(kind)} ${kind.kind}`];
  const age = ageOf(object.metadata.creationTimestamp, now);
  return cells?.(object, age, now) ?? [object.metadata.name, age];
}

function jsonPath(object: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .replaceAll(/\[(\d+)\]/g, ".$1")
    .split(".")
    .filter((part) => part !== "")
    .reduce<JsonValue | undefined>(
      (at, part) => (Array.isArray(at) ? (at as JsonArray)[Number(part)] : asObject(at)?.[part]),
      object,
    );
}

/** Formats an age like `kubectl`: `5s`, `3m20s`, `4h`, `2d3h`. */
function ageOf(time: JsonValue | undefined, now: number): string {
  if (typeof time !== "string" || time === "") return "<unknown>";
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  const [minutes, hours, days] = [60, 3600, 86_400].map((size) => Math.floor(seconds / size));
  const rest = (amount: number, unit: string): string => (amount === 0 ? "" : `${amount}${unit}`);
  if (seconds < 120) return `${seconds}s`;
  if (Number(minutes) < 10) return `${minutes}m${rest(seconds % 60, "s")}`;
  if (Number(hours) < 3) return `${minutes}m`;
  if (Number(hours) < 8) return `${hours}h${rest(Number(minutes) % 60, "m")}`;
  if (Number(hours) < 48) return `${hours}h`;
  if (Number(days) < 8) return `${days}d${rest(Number(hours) % 24, "h")}`;
  return `${days}d`;
}

type Cells = (object: KubeObject, age: string, now: number) => JsonArray;

const at = (object: JsonMembers, ...path: readonly string[]): JsonMembers =>
  path.reduce<JsonMembers>((value, name) => asObject(value[name]) ?? {}, object);
const text = (value: JsonValue | undefined, absent = ""): string =>
  value === undefined || value === null ? absent : plainTextOf(value);
const count = (value: JsonValue | undefined): number => Object.keys(asObject(value) ?? {}).length;
const joined = (list: readonly unknown[], absent = "<none>"): string =>
  list.length === 0 ? absent : list.join(",");
const labels = (value: JsonMembers | undefined, absent = "<none>"): string =>
  joined(
    Object.entries(value ?? {}).map(([key, one]) => `${key}=${text(one)}`),
    absent,
  );

const roleBinding: Cells = (binding, age) => {
  const of = (kind: string): readonly string[] =>
    items(binding["subjects"])
      .filter((subject) => subject["kind"] === kind)
      .map((subject) =>
        kind === "ServiceAccount"
          ? `${text(subject["namespace"])}/${text(subject["name"])}`
          : text(subject["name"]),
      );
  const role = at(binding, "roleRef");
  return [
    binding.metadata.name,
    `${text(role["kind"])}/${text(role["name"])}`,
    age,
    of("User").join(", "),
    of("Group").join(", "),
    of("ServiceAccount").join(", "),
  ];
};

const cellsByKind: Readonly<Record<string, Cells>> = {
  "v1 Pod": (pod, age, now) => podCells(pod, age, now),
  "v1 ConfigMap": (map, age) => [
    map.metadata.name,
    count(map["data"]) + count(map["binaryData"]),
    age,
  ],
  "v1 Secret": (secret, age) => [
    secret.metadata.name,
    text(secret["type"]),
    count(secret["data"]),
    age,
  ],
  "v1 ServiceAccount": ({ metadata }, age) => [metadata.name, age],
  "networking.k8s.io/v1 Ingress": (ingress, age) => {
    const spec = at(ingress, "spec");
    const hosts = items(spec["rules"]).map(({ host }) => text(host, "*"));
    const ports = spec["tls"] === undefined ? "80" : "80, 443";
    return [
      ingress.metadata.name,
      text(spec["ingressClassName"], "<none>"),
      joined(hosts, "*"),
      "",
      ports,
      age,
    ];
  },
  "v1 Namespace": (namespace, age) => [
    namespace.metadata.name,
    text(at(namespace, "status")["phase"]),
    age,
  ],
  "v1 Service": (service, age) => {
    const spec = at(service, "spec");
    const ports = items(spec["ports"]).map(
      (port) =>
        `${text(port["port"])}${port["nodePort"] === undefined ? "" : `:${text(port["nodePort"])}`}/${text(port["protocol"])}`,
    );
    return [
      service.metadata.name,
      text(spec["type"]),
      text(spec["clusterIP"], "<none>"),
      text(spec["externalName"], "<none>"),
      joined(ports),
      age,
      labels(asObject(spec["selector"])),
    ];
  },
  "v1 PersistentVolumeClaim": (claim, age) => {
    const [spec, status] = [at(claim, "spec"), at(claim, "status")];
    const phase =
      claim.metadata.deletionTimestamp === undefined ? text(status["phase"]) : "Terminating";
    const isBound = spec["volumeName"] !== undefined;
    return [
      claim.metadata.name,
      phase,
      text(spec["volumeName"]),
      isBound ? text(at(status, "capacity")["storage"]) : "",
      isBound ? modes(status["accessModes"]) : "",
      text(spec["storageClassName"]),
      text(spec["volumeAttributesClassName"], "<unset>"),
      age,
      text(spec["volumeMode"]),
    ];
  },
  "v1 PersistentVolume": (volume, age) => {
    const [spec, status] = [at(volume, "spec"), at(volume, "status")];
    const claim = asObject(spec["claimRef"]);
    return [
      volume.metadata.name,
      text(at(spec, "capacity")["storage"]),
      modes(spec["accessModes"]),
      text(spec["persistentVolumeReclaimPolicy"]),
      volume.metadata.deletionTimestamp === undefined ? text(status["phase"]) : "Terminating",
      claim === undefined ? "" : `${text(claim["namespace"])}/${text(claim["name"])}`,
      text(spec["storageClassName"]),
      text(spec["volumeAttributesClassName"], "<unset>"),
      text(status["reason"]),
      age,
      text(spec["volumeMode"], "<unset>"),
    ];
  },
  "storage.k8s.io/v1 StorageClass": (storageClass, age) => {
    const isDefault =
      storageClass.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"];
    return [
      `${storageClass.metadata.name}${isDefault === "true" ? " (default)" : ""}`,
      text(storageClass["provisioner"]),
      text(storageClass["reclaimPolicy"], "Delete"),
      text(storageClass["volumeBindingMode"], "Immediate"),
      storageClass["allowVolumeExpansion"] === true,
      age,
    ];
  },
  "policy/v1 PodDisruptionBudget": (budget, age) => [
    budget.metadata.name,
    text(at(budget, "spec")["minAvailable"], "N/A"),
    text(at(budget, "spec")["maxUnavailable"], "N/A"),
    Number(at(budget, "status")["disruptionsAllowed"] ?? 0),
    age,
  ],
  "v1 Event": (event, _age, now) => {
    const involved = at(event, "involvedObject");
    const last = event["lastTimestamp"] ?? event["eventTime"] ?? event["firstTimestamp"];
    const first = event["firstTimestamp"] ?? event["eventTime"];
    return [
      ageOf(last, now),
      text(event["type"]),
      text(event["reason"]),
      `${text(involved["kind"]).toLowerCase()}/${text(involved["name"])}`,
      text(involved["fieldPath"]),
      joined(
        [at(event, "source")["component"], at(event, "source")["host"]]
          .filter((one) => one !== undefined)
          .map((one) => text(one)),
        "",
      ),
      text(event["message"]).trim(),
      ageOf(first, now),
      Number(event["count"] ?? 1),
      event.metadata.name,
    ];
  },
  "v1 Node": (node, age) => {
    const status = at(node, "status");
    const ready = items(status["conditions"]).find(({ type }) => type === "Ready");
    const own = at(status, "nodeInfo");
    const address = items(status["addresses"]).find(({ type }) => type === "InternalIP");
    return [
      node.metadata.name,
      ready?.["status"] === "True" ? "Ready" : ready === undefined ? "Unknown" : "NotReady",
      "<none>",
      age,
      text(own["kubeletVersion"]),
      text(address?.["address"], "<none>"),
      "<none>",
      text(own["osImage"], "<unknown>"),
      text(own["kernelVersion"], "<unknown>"),
      text(own["containerRuntimeVersion"], "<unknown>"),
    ];
  },
  "v1 ResourceQuota": (quota, age) => {
    const { hard, used } = at(quota, "status");
    const list = (wanted: (name: string) => boolean): string =>
      Object.entries(asObject(hard) ?? {})
        .filter(([name]) => wanted(name))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, max]) => `${name}: ${text(asObject(used)?.[name], "0")}/${text(max)}`)
        .join(", ");
    const isLimit = (name: string): boolean => name.startsWith("limits.");
    return [quota.metadata.name, list((name) => !isLimit(name)), list(isLimit), age];
  },
  "v1 LimitRange": (range) => [range.metadata.name, text(range.metadata.creationTimestamp)],
  "networking.k8s.io/v1 NetworkPolicy": (policy, age) => [
    policy.metadata.name,
    labels(asObject(at(policy, "spec", "podSelector")["matchLabels"])),
    age,
  ],
  "scheduling.k8s.io/v1 PriorityClass": (one, age) => [
    one.metadata.name,
    Number(one["value"] ?? 0),
    one["globalDefault"] === true,
    age,
    text(one["preemptionPolicy"]),
  ],
  "rbac.authorization.k8s.io/v1 Role": (role) => [
    role.metadata.name,
    text(role.metadata.creationTimestamp),
  ],
  "rbac.authorization.k8s.io/v1 ClusterRole": (role) => [
    role.metadata.name,
    text(role.metadata.creationTimestamp),
  ],
  "rbac.authorization.k8s.io/v1 RoleBinding": roleBinding,
  "rbac.authorization.k8s.io/v1 ClusterRoleBinding": roleBinding,
  "apiextensions.k8s.io/v1 CustomResourceDefinition": (definition) => [
    definition.metadata.name,
    text(definition.metadata.creationTimestamp),
  ],
  "coordination.k8s.io/v1 Lease": (lease, age) => [
    lease.metadata.name,
    text(at(lease, "spec")["holderIdentity"]),
    age,
  ],
};

const modes = (value: JsonValue | undefined): string =>
  (Array.isArray(value) ? (value as JsonArray) : [])
    .map(
      (mode) =>
        ({
          ReadWriteOnce: "RWO",
          ReadOnlyMany: "ROX",
          ReadWriteMany: "RWX",
          ReadWriteOncePod: "RWOP",
        })[text(mode)],
    )
    .join(",");

function podCells(pod: KubeObject, age: string, now: number): JsonArray {
  const [spec, status] = [at(pod, "spec"), at(pod, "status")];
  const containers = items(spec["containers"]);
  const states = items(status["containerStatuses"]);
  const restarts = states.reduce((sum, one) => sum + Number(one["restartCount"] ?? 0), 0);
  const lastEnd = states
    .map((one) => text(at(one, "lastState", "terminated")["finishedAt"]))
    .sort()
    .at(-1);
  return [
    pod.metadata.name,
    `${states.filter(({ ready }) => ready === true).length}/${containers.length}`,
    podReason(pod, status, states),
    restarts > 0 && lastEnd !== undefined && lastEnd !== ""
      ? `${restarts} (${ageOf(lastEnd, now)} ago)`
      : String(restarts),
    age,
    text(status["podIP"], "<none>"),
    text(spec["nodeName"], "<none>"),
    text(status["nominatedNodeName"], "<none>"),
    "<none>",
  ];
}

function podReason(pod: KubeObject, status: JsonMembers, states: readonly JsonMembers[]): string {
  let reason = text(status["reason"], text(status["phase"]));
  const isScheduled = items(status["conditions"]).find(({ type }) => type === "PodScheduled");
  if (isScheduled?.["reason"] === "SchedulingGated") reason = "SchedulingGated";
  for (const one of states.toReversed()) {
    const [waiting, terminated] = [at(one, "state", "waiting"), at(one, "state", "terminated")];
    if (waiting["reason"] !== undefined) reason = text(waiting["reason"]);
    else if (terminated["reason"] !== undefined) reason = text(terminated["reason"]);
    else if (terminated["exitCode"] !== undefined) {
      reason =
        terminated["signal"] === undefined
          ? `ExitCode:${text(terminated["exitCode"])}`
          : `Signal:${text(terminated["signal"])}`;
    }
  }
  return pod.metadata.deletionTimestamp === undefined ? reason : "Terminating";
}
