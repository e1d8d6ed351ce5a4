// Checks whether a pod fits on the node, with the messages of the scheduler of Kubernetes 1.36.
import { fieldsOf, itemsOf, textOf, type Fields } from "../../../base/json.ts";
import type { SandboxPodSpec } from "../spec/podSpec.ts";
import { podRequests, type ResourceAmounts } from "../spec/requests.ts";

interface NodeRoom {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly free: ResourceAmounts;
  /** Total capacity; preemption cannot free more. */
  readonly allocatable: ResourceAmounts;
  /** The pods on the node. */
  readonly neighbors: readonly Neighbor[];
}

export interface Neighbor {
  readonly namespace: string;
  /** The labels object of the pod itself, not a copy, because copies for thousands of pods would take much memory. */
  readonly labels: Fields;
}

type Fit =
  | { readonly kind: "fits" }
  /** `preemptionHelps`: true if the pod may fit after the preemption of other pods. */
  | {
      readonly kind: "refused";
      readonly reasons: readonly string[];
      readonly preemptionHelps: boolean;
    };

const fits: Fit = { kind: "fits" };

/** Runs the checks in the order of the scheduler's plug-ins; the first failing check determines the reasons. */
export function fitsOn(spec: SandboxPodSpec, self: Neighbor, room: NodeRoom): Fit {
  if (!matchesNode(spec, room)) {
    return refuse(["node(s) didn't match Pod's node affinity/selector"], false);
  }
  const { free, allocatable } = room;
  const wanted = Object.entries({ ...podRequests(spec), pods: 1 });
  const short = wanted.filter(([name, amount]) => amount > 0 && amount > (free[name] ?? 0));
  if (short.length > 0) {
    const reasons = short.map(([name]) =>
      name === "pods" ? "Too many pods" : `Insufficient ${name}`,
    );
    return refuse(
      reasons,
      wanted.every(([name, amount]) => amount <= (allocatable[name] ?? 0) || amount === 0),
    );
  }
  return matchesNeighbors(spec, self, room);
}

const refuse = (reasons: readonly string[], preemptionHelps: boolean): Fit => ({
  kind: "refused",
  reasons: [...reasons].sort(),
  preemptionHelps,
});

/** Returns the message of the FailedScheduling event. */
export function refusalMessage(reasons: readonly string[], preemptionHelps: boolean): string {
  const help = preemptionHelps
    ? "No preemption victims found for incoming pod."
    : "Preemption is not helpful for scheduling.";
  const first = reasons.map((reason) => `1 ${reason}`).join(", ");
  return (
    `0/1 nodes are available: ${first}. no new claims to deallocate, ` +
    `preemption: 0/1 nodes are available: 1 ${help}`
  );
}

function matchesNode(
  { nodeSelector, affinity }: SandboxPodSpec,
  { name, labels }: NodeRoom,
): boolean {
  const isLabeled = Object.entries(nodeSelector).every(([key, value]) => labels[key] === value);
  const required = fieldsOf(affinity["nodeAffinity"])[requiredRules];
  if (required === undefined || required === null) return isLabeled;
  return (
    isLabeled &&
    itemsOf(fieldsOf(required)["nodeSelectorTerms"]).some((term) => {
      const { matchExpressions, matchFields } = fieldsOf(term);
      const expressions = itemsOf(matchExpressions).map(fieldsOf);
      const fields = itemsOf(matchFields).map(fieldsOf);
      return (
        expressions.length + fields.length > 0 &&
        expressions.every((one) => holds(one, labels)) &&
        fields.every((one) => holds(one, { "metadata.name": name }))
      );
    })
  );
}

const requiredRules = "requiredDuringSchedulingIgnoredDuringExecution";

function matchesNeighbors(spec: SandboxPodSpec, self: Neighbor, room: NodeRoom): Fit {
  const terms = (kind: string): readonly Fields[] =>
    itemsOf(fieldsOf(spec.affinity[kind])[requiredRules]).map(fieldsOf);
  const near = terms("podAffinity");
  const meets = (term: Fields, one: Neighbor): boolean => matchesTerm(term, one, self.namespace);
  // The first pod of a group with affinity to itself may be scheduled without a neighbor.
  const isFirst = (term: Fields): boolean =>
    meets(term, self) && !room.neighbors.some((one) => meets(term, one));
  const isNear = near.every(
    (term) =>
      hasTopology(term, room) && (room.neighbors.some((one) => meets(term, one)) || isFirst(term)),
  );
  if (!isNear) return refuse(["node(s) didn't match pod affinity rules"], false);
  const isApart = terms("podAntiAffinity").every(
    (term) => !hasTopology(term, room) || !room.neighbors.some((one) => meets(term, one)),
  );
  return isApart ? fits : refuse(["node(s) didn't match pod anti-affinity rules"], true);
}

const hasTopology = (term: Fields, { labels }: NodeRoom): boolean =>
  labels[textOf(term["topologyKey"]) ?? ""] !== undefined;

function matchesTerm(term: Fields, neighbor: Neighbor, ownNamespace: string): boolean {
  const named = itemsOf(term["namespaces"]);
  const anyNamespace = term["namespaceSelector"] !== undefined;
  const isHere =
    anyNamespace ||
    (named.length > 0 ? named.includes(neighbor.namespace) : neighbor.namespace === ownNamespace);
  const selector = term["labelSelector"];
  return (
    isHere && selector !== undefined && matchesNodeSelector(fieldsOf(selector), neighbor.labels)
  );
}

/** Evaluates a label selector with `matchLabels` and `matchExpressions`. */
export function matchesNodeSelector(selector: Fields, labels: Fields): boolean {
  return (
    Object.entries(fieldsOf(selector["matchLabels"])).every(
      ([key, value]) => labels[key] === value,
    ) && itemsOf(selector["matchExpressions"]).every((one) => holds(fieldsOf(one), labels))
  );
}

function holds(expression: Fields, labels: Fields): boolean {
  const found = labels[textOf(expression["key"]) ?? ""];
  const values = itemsOf(expression["values"]);
  switch (expression["operator"]) {
    case "In":
      return found !== undefined && values.includes(found);
    case "NotIn":
      return found === undefined || !values.includes(found);
    case "Exists":
      return found !== undefined;
    case "DoesNotExist":
      return found === undefined;
    case "Gt":
      return found !== undefined && Number(found) > Number(values[0]);
    case "Lt":
      return found !== undefined && Number(found) < Number(values[0]);
    default:
      return false;
  }
}
