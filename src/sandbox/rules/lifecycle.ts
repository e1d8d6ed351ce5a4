import type { Kind } from "../api/kinds.ts";
import { leaveOut, type JsonMembers, type KubeObject } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { items, sorted } from "./podRules.ts";

/** Sets the fields of a new object that clients cannot write: initial status and generation. */
export function onCreate(kind: Kind, object: KubeObject): KubeObject {
  const plain = hasStatus(kind) ? leaveOut(object, "status") : object;
  const counted = isCounted(kind) ? withGeneration(plain, 1) : plain;
  const first = firstStates[object.kind];
  return kind.custom !== undefined || first === undefined
    ? counted
    : { ...counted, ...first(counted) };
}

/**
 * Restricts an update to the fields of its path. The `status` subresource changes the status and, for built-in kinds,
 * the metadata. The object's own path changes all fields but the status. For kinds with a generation, increments it if
 * the update changes more than metadata and status.
 */
export function onUpdate(
  kind: Kind,
  subresource: string,
  before: KubeObject,
  after: KubeObject,
): KubeObject {
  if (subresource === "status") {
    const metadata = kind.custom === undefined ? after.metadata : statusMeta(before, after);
    return { ...before, metadata, status: after["status"] };
  }
  const own = hasStatus(kind) ? { ...after, status: before["status"] } : after;
  const held = service(before, own);
  const isChanged = isCounted(kind) && essence(before) !== essence(held);
  return isChanged ? withGeneration(held, (before.metadata.generation ?? 0) + 1) : held;
}

const statusMeta = (before: KubeObject, after: KubeObject): KubeObject["metadata"] => ({
  ...before.metadata,
  managedFields: after.metadata["managedFields"],
  resourceVersion: after.metadata.resourceVersion ?? "",
});

// A Service keeps its assigned addresses if the update omits them.
function service(before: KubeObject, after: KubeObject): KubeObject {
  if (after.kind !== "Service" || after.apiVersion !== "v1") return after;
  const [old, own] = [asObject(before["spec"]) ?? {}, asObject(after["spec"]) ?? {}];
  const { clusterIP = old["clusterIP"], clusterIPs = old["clusterIPs"] } = own;
  return { ...after, spec: { ...own, clusterIP, clusterIPs } };
}

const essence = (object: KubeObject): string =>
  JSON.stringify(sorted(leaveOut(object, "metadata", "status")));

const withGeneration = (object: KubeObject, generation: number): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, generation },
});

const hasStatus = (kind: Kind): boolean =>
  kind.custom?.hasStatus ?? kind.subresources.some(({ name }) => name === "status");

const countedKinds = new Set([
  "Pod",
  "NetworkPolicy",
  "Ingress",
  "PodDisruptionBudget",
  "PriorityClass",
  "CustomResourceDefinition",
]);

const isCounted = (kind: Kind): boolean => kind.custom !== undefined || countedKinds.has(kind.kind);

const firstStates: Readonly<Record<string, (object: KubeObject) => JsonMembers>> = {
  Pod: (pod) => ({
    status: { phase: "Pending", qosClass: qosClassOf(asObject(pod["spec"]) ?? {}) },
  }),
  Namespace: ({ spec }) => ({
    spec: { ...asObject(spec), finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  }),
  Service: () => ({ status: { loadBalancer: {} } }),
  PersistentVolumeClaim: () => ({ status: { phase: "Pending" } }),
  PersistentVolume: () => ({ status: { phase: "Pending" } }),
  ResourceQuota: () => ({ status: {} }),
  Ingress: () => ({ status: { loadBalancer: {} } }),
  PodDisruptionBudget: () => ({
    status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
  }),
};

/** Returns the QoS class of a pod, derived from its cpu and memory requests and limits. */
function qosClassOf(spec: JsonMembers): string {
  const resources = [...items(spec["containers"]), ...items(spec["initContainers"])].map(
    (container) => asObject(container["resources"]) ?? {},
  );
  const pick = (amounts: JsonMembers | undefined): JsonMembers =>
    Object.fromEntries(
      Object.entries(amounts ?? {}).filter(([name]) => name === "cpu" || name === "memory"),
    );
  const asked = resources.map(({ requests }) => pick(asObject(requests)));
  const limited = resources.map(({ limits }) => pick(asObject(limits)));
  if ([...asked, ...limited].every((amounts) => Object.keys(amounts).length === 0))
    return "BestEffort";
  const isGuaranteed = limited.every(
    (amounts, index) =>
      Object.keys(amounts).length === 2 &&
      JSON.stringify(sorted(amounts)) === JSON.stringify(sorted(asked[index])),
  );
  return isGuaranteed ? "Guaranteed" : "Burstable";
}
