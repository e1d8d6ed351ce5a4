// The fields of `sparkoperator.k8s.io/v1beta2` that the operator's webhook sets in pods. spark-submit sets
// them by a conf key if there is one, else by a pod template.
import {
  append,
  editObject,
  listAt,
  objectAt,
  textAt,
  type Json,
  type JsonObject,
} from "../../base/json.ts";
import { variablePrefix, type Role } from "./kubeflowFields.ts";
import type { KubeflowSpec } from "./kubeflowSchema.ts";
import { readVolume } from "./kubeflowVolumes.ts";
import { editSparkContainer, sparkContainer } from "./podTemplates.ts";

/** One setting of a role's pods: a conf entry, or a part of the pod template. */
type PodPart =
  | { readonly kind: "conf"; readonly key: string; readonly value: string }
  | {
      readonly kind: "field" | "item";
      readonly of: Owner;
      readonly name: string;
      readonly value: Json;
    }
  | { readonly kind: "limit"; readonly name: string; readonly value: string };

type Owner = "pod" | "container";
type RoleSpec = NonNullable<KubeflowSpec["driver"]>;

interface PodParts {
  readonly conf: ReadonlyMap<string, string>;
  /** Undefined if no template is needed. */
  readonly template: JsonObject | undefined;
}

export function podPartsOf(spec: KubeflowSpec, role: Role): PodParts {
  const own: RoleSpec = spec[role] ?? {};
  const parts = [
    ...fieldParts(own),
    ...confParts(own, role),
    ...variableParts(own, role),
    ...volumeParts(spec, own, role),
  ];
  const isInTemplate = parts.some(({ kind }) => kind !== "conf");
  return {
    conf: new Map(parts.flatMap((part) => (part.kind === "conf" ? [[part.key, part.value]] : []))),
    template:
      isInTemplate || own.template !== undefined
        ? makeTemplate(own.template ?? {}, role, parts)
        : undefined,
  };
}

function makeTemplate(template: JsonObject, role: Role, parts: readonly PodPart[]): JsonObject {
  const ownContainers = listAt(objectAt(template, "spec"), "containers");
  const start = editObject({ spec: {}, ...template }, "spec", (pod) =>
    ownContainers.length === 0 ? { ...pod, containers: [{ name: sparkContainer[role] }] } : pod,
  );
  const withPod = editObject(start, "spec", (pod) => addParts(pod, "pod", parts));
  // Selects the container by its name, as the operator does.
  return editSparkContainer(withPod, role, sparkContainer[role], (container) =>
    addParts(container, "container", parts),
  );
}

function addParts(target: JsonObject, owner: Owner, parts: readonly PodPart[]): JsonObject {
  return parts.reduce((edited, part) => {
    switch (part.kind) {
      case "conf":
        return edited;
      case "field":
        return part.of === owner ? { ...edited, [part.name]: part.value } : edited;
      case "item":
        return part.of === owner ? append(edited, part.name, [part.value]) : edited;
      case "limit":
        return owner === "container" ? addLimit(edited, part.name, part.value) : edited;
    }
  }, target);
}

const addLimit = (container: JsonObject, name: string, value: string): JsonObject => ({
  ...container,
  resources: {
    ...objectAt(container, "resources"),
    limits: { ...objectAt(objectAt(container, "resources"), "limits"), [name]: value },
  },
});

/** Fields to copy, as tuples: the field of the role, the target object, and the field of the target. */
const fields = [
  ["affinity", "pod", "affinity"],
  ["dnsConfig", "pod", "dnsConfig"],
  ["podSecurityContext", "pod", "securityContext"],
  ["priorityClassName", "pod", "priorityClassName"],
  ["shareProcessNamespace", "pod", "shareProcessNamespace"],
  ["terminationGracePeriodSeconds", "pod", "terminationGracePeriodSeconds"],
  ["lifecycle", "container", "lifecycle"],
  ["securityContext", "container", "securityContext"],
] as const satisfies readonly (readonly [keyof RoleSpec, Owner, string])[];

/** Lists whose items are appended to a list of the target. Tuples as in `fields`. */
const lists = [
  ["hostAliases", "pod", "hostAliases"],
  ["initContainers", "pod", "initContainers"],
  ["sidecars", "pod", "containers"],
  ["tolerations", "pod", "tolerations"],
  ["envFrom", "container", "envFrom"],
  ["ports", "container", "ports"],
] as const satisfies readonly (readonly [keyof RoleSpec, Owner, string])[];

function fieldParts(own: RoleSpec): readonly PodPart[] {
  const given: JsonObject = own;
  const asIs = fields.flatMap(([field, of, name]): readonly PodPart[] => {
    const value = given[field];
    return value === undefined ? [] : [{ kind: "field", of, name, value }];
  });
  const items = lists.flatMap(([field, of, name]) =>
    listAt(given, field).map((value): PodPart => ({ kind: "item", of, name, value })),
  );
  const network: readonly PodPart[] =
    own.hostNetwork === true
      ? [
          { kind: "field", of: "pod", name: "hostNetwork", value: true },
          { kind: "field", of: "pod", name: "dnsPolicy", value: "ClusterFirstWithHostNet" },
        ]
      : [];
  // Sets the GPU limit in the template, because Spark's own resource keys require a discovery script.
  const { name, quantity } = own.gpu ?? {};
  const limits: readonly PodPart[] =
    name === undefined || quantity === undefined
      ? []
      : [{ kind: "limit", name, value: `${quantity}` }];
  return [...asIs, ...items, ...network, ...limits];
}

function confParts(own: RoleSpec, role: Role): readonly PodPart[] {
  const prefix = `spark.kubernetes.${role}`;
  const { schedulerName, nodeSelector = {} } = own;
  return [
    ...(schedulerName === undefined ? [] : [conf(`${prefix}.scheduler.name`, schedulerName)]),
    ...Object.entries(nodeSelector).map(([key, value]) =>
      conf(`${prefix}.node.selector.${key}`, value),
    ),
  ];
}

function variableParts(own: RoleSpec, role: Role): readonly PodPart[] {
  return (own.env ?? []).map((variable): PodPart => {
    const name = textAt(variable, "name") ?? "";
    const value = textAt(variable, "value");
    // A variable that refers to another one stays in the template: its value depends on the order of the variables, and
    // conf entries have no order.
    if (value !== undefined && !value.includes("$(") && isVariableName(name)) {
      return conf(`${variablePrefix[role]}${name}`, value);
    }
    const {
      name: secret,
      key,
      ...more
    } = objectAt(objectAt(variable, "valueFrom"), "secretKeyRef");
    const isPlain = typeof secret === "string" && typeof key === "string" && !key.includes(":");
    return isPlain && Object.keys(more).length === 0
      ? conf(`spark.kubernetes.${role}.secretKeyRef.${name}`, `${secret}:${key}`)
      : { kind: "item", of: "container", name: "env", value: variable };
  });
}

// True for the names that Spark accepts for executor variables. Spark ignores variables with other names.
const isVariableName = (name: string): boolean => /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name);

function volumeParts(spec: KubeflowSpec, own: RoleSpec, role: Role): readonly PodPart[] {
  const mounts = own.volumeMounts ?? [];
  const inTemplate = new Set<JsonObject>();
  const mounted = mounts.flatMap((mount): readonly PodPart[] => {
    const { name } = mount;
    const volume = (spec.volumes ?? []).find((candidate) => candidate["name"] === name);
    const isOnlyOne = mounts.every((other) => other === mount || other["name"] !== name);
    // Drops a mount without a volume, because the operator ignores it.
    if (volume === undefined) return [];
    const entries = isOnlyOne ? readVolume(volume, mount, role) : undefined;
    if (entries) return entries.map(([key, value]) => conf(key, value));
    inTemplate.add(volume);
    return [{ kind: "item", of: "container", name: "volumeMounts", value: mount }];
  });
  const volumes = [...inTemplate].map((value) => volumePart(value));
  const configMaps = (own.configMaps ?? []).flatMap(({ name = "", path = "" }) => {
    const volume = `${name.replaceAll(".", "-")}-vol`;
    return [
      volumePart({ name: volume, configMap: { name } }),
      mountPart({ name: volume, mountPath: path }),
    ];
  });
  return [...mounted, ...volumes, ...configMaps];
}

const volumePart = (value: JsonObject): PodPart => ({
  kind: "item",
  of: "pod",
  name: "volumes",
  value,
});

const mountPart = (value: JsonObject): PodPart => ({
  kind: "item",
  of: "container",
  name: "volumeMounts",
  value,
});

const conf = (key: string, value: string): PodPart => ({ kind: "conf", key, value });
