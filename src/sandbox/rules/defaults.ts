import { type JsonValue, type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { mapped, podSpecDefaults, within } from "./podDefaults.ts";

/** Fills in the API server's defaults for an object of a built-in kind. */
export function withSchemaDefaults(object: KubeObject): KubeObject {
  const change = byKind[`${object.apiVersion} ${object.kind}`];
  return change === undefined ? object : { ...object, ...change(object) };
}

const byKind: Readonly<Record<string, (object: KubeObject) => JsonMembers>> = {
  "v1 Pod": (pod) => ({
    ...within(pod, "spec", podSpecDefaults),
    ...within(pod, "status", podStatusDefaults),
  }),
  "v1 Service": (service) => within(service, "spec", serviceDefaults),
  // The API server serializes these fields even if they are empty.
  "v1 Event": (event) => ({
    eventTime: null,
    firstTimestamp: null,
    lastTimestamp: null,
    reportingComponent: "",
    reportingInstance: "",
    ...event,
  }),
  "v1 Secret": ({ type, stringData, data }) => ({
    type: type ?? "Opaque",
    ...(stringData === undefined ? {} : { data: { ...asObject(data), ...encoded(stringData) } }),
    stringData: undefined,
  }),
  "v1 Namespace": (namespace) => ({
    metadata: {
      ...namespace.metadata,
      labels: {
        ...namespace.metadata.labels,
        "kubernetes.io/metadata.name": namespace.metadata.name,
      },
    },
  }),
  "v1 PersistentVolumeClaim": (claim) =>
    within(claim, "spec", (spec) => ({ volumeMode: "Filesystem", ...spec })),
  "v1 PersistentVolume": (volume) =>
    within(volume, "spec", (spec) => ({
      persistentVolumeReclaimPolicy: "Retain",
      volumeMode: "Filesystem",
      ...spec,
    })),
  "v1 LimitRange": (range) =>
    within(range, "spec", (spec) => ({ ...spec, ...mapped(spec, "limits", limitDefaults) })),
  "networking.k8s.io/v1 NetworkPolicy": (policy) =>
    within(policy, "spec", (spec) => ({
      policyTypes: spec["egress"] === undefined ? ["Ingress"] : ["Ingress", "Egress"],
      ...spec,
      ...mapped(spec, "ingress", peerDefaults),
      ...mapped(spec, "egress", peerDefaults),
    })),
  "scheduling.k8s.io/v1 PriorityClass": ({ preemptionPolicy }) => ({
    preemptionPolicy: preemptionPolicy ?? "PreemptLowerPriority",
  }),
  "storage.k8s.io/v1 StorageClass": ({ reclaimPolicy, volumeBindingMode }) => ({
    reclaimPolicy: reclaimPolicy ?? "Delete",
    volumeBindingMode: volumeBindingMode ?? "Immediate",
  }),
  "rbac.authorization.k8s.io/v1 RoleBinding": (binding) => bindingDefaults(binding),
  "rbac.authorization.k8s.io/v1 ClusterRoleBinding": (binding) => bindingDefaults(binding),
  "apiextensions.k8s.io/v1 CustomResourceDefinition": (definition) =>
    within(definition, "spec", (spec) => ({
      conversion: { strategy: "None" },
      ...spec,
      ...within(spec, "names", (names) => ({
        singular: plainTextOf(names["kind"]).toLowerCase(),
        listKind: `${plainTextOf(names["kind"])}List`,
        ...names,
      })),
    })),
};

const podStatusDefaults = (status: JsonMembers): JsonMembers => ({
  ...(status["podIP"] === undefined ? {} : { podIPs: [{ ip: status["podIP"] }] }),
  ...status,
  // The API server serializes these times even if they are unset.
  ...mapped(status, "conditions", (one) => ({
    lastProbeTime: null,
    lastTransitionTime: null,
    ...one,
  })),
});

const rbacGroup = "rbac.authorization.k8s.io";

const bindingDefaults = (binding: JsonMembers): JsonMembers => ({
  ...within(binding, "roleRef", (role) => ({ apiGroup: rbacGroup, ...role })),
  ...mapped(binding, "subjects", (subject) =>
    subject["kind"] === "ServiceAccount" ? subject : { apiGroup: rbacGroup, ...subject },
  ),
});

const peerDefaults = (rule: JsonMembers): JsonMembers => ({
  ...rule,
  ...mapped(rule, "ports", (port) => ({ protocol: "TCP", ...port })),
});

function limitDefaults(limit: JsonMembers): JsonMembers {
  if (limit["type"] !== "Container") return limit;
  const maximum = asObject(limit["max"]);
  const standard = { ...maximum, ...asObject(limit["default"]) };
  const asked = { ...asObject(limit["min"]), ...standard, ...asObject(limit["defaultRequest"]) };
  return {
    ...limit,
    ...(Object.keys(standard).length > 0 ? { default: standard } : {}),
    ...(Object.keys(asked).length > 0 ? { defaultRequest: asked } : {}),
  };
}

function serviceDefaults(spec: JsonMembers): JsonMembers {
  const { type = "ClusterIP", clusterIP } = spec;
  const headless = clusterIP === "None";
  return {
    internalTrafficPolicy: "Cluster",
    ...(type === "ExternalName" ? { internalTrafficPolicy: undefined } : {}),
    ...(["NodePort", "LoadBalancer"].includes(plainTextOf(type))
      ? { externalTrafficPolicy: "Cluster" }
      : {}),
    ...(type === "LoadBalancer" ? { allocateLoadBalancerNodePorts: true } : {}),
    sessionAffinity: "None",
    type,
    ...(type === "ExternalName" ? {} : { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }),
    ...(headless ? { clusterIPs: ["None"] } : {}),
    ...spec,
    ...mapped(spec, "ports", (port) => ({
      protocol: "TCP",
      ...port,
      targetPort: port["targetPort"] ?? port["port"],
    })),
  };
}

const encoded = (texts: JsonValue | undefined): JsonMembers =>
  Object.fromEntries(
    Object.entries(asObject(texts) ?? {}).map(([name, text]) => [
      name,
      Buffer.from(plainTextOf(text)).toString("base64"),
    ]),
  );
