// Whether a pod fits on the one node, and if not, in a scheduler's words (Kubernetes 1.36).
import { fieldsOf, itemsOf, textOf, type Fields } from "../../../spark/pods/fields.ts";
import type { PodSpec } from "../spec/podSpec.ts";
import { podRequests, type Amounts } from "../spec/requests.ts";

export interface NodeRoom {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** What is left. */
  readonly free: Amounts;
  /** What there is at all: nobody's leaving gives more. */
  readonly allocatable: Amounts;
  /** Labels of the pods that are on it, with their namespaces. */
  readonly neighbors: readonly Neighbor[];
}

export interface Neighbor {
  readonly namespace: string;
  /** The pod's own: a copy of each would be much, for thousands of pods. */
  readonly labels: Fields;
}

export type Fit =
  | { readonly kind: "fits" }
  /** `leavingHelps`: it would fit if others went. */
  | {
      readonly kind: "refused";
      readonly reasons: readonly string[];
      readonly leavingHelps: boolean;
    };

const fits: Fit = { kind: "fits" };

/** In the order of the scheduler's plug-ins: the first that refuses names the reason. */
export function fitsOn(spec: PodSpec, self: Neighbor, room: NodeRoom): Fit {
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

const refuse = (reasons: readonly string[], leavingHelps: boolean): Fit => ({
  kind: "refused",
  reasons: [...reasons].sort(),
  leavingHelps,
});

/** What `kubectl describe pod` shows. */
export function refusalMessage(reasons: readonly string[], leavingHelps: boolean): string {
  const help = leavingHelps
    ? "No preemption victims found for incoming pod."
    : "Preemption is not helpful for scheduling.";
  const first = reasons.map((reason) => `1 ${reason}`).join(", ");
  return (
    `0/1 nodes are available: ${first}. no new claims to deallocate, ` +
    `preemption: 0/1 nodes are available: 1 ${help}`
  );
}

function matchesNode({ nodeSelector, affinity }: PodSpec, { name, labels }: NodeRoom): boolean {
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

function matchesNeighbors(spec: PodSpec, self: Neighbor, room: NodeRoom): Fit {
  const terms = (kind: string): readonly Fields[] =>
    itemsOf(fieldsOf(spec.affinity[kind])[requiredRules]).map(fieldsOf);
  const near = terms("podAffinity");
  const meets = (term: Fields, one: Neighbor): boolean => matchesTerm(term, one, self.namespace);
  // The first pod of a group whose members want each other may come although nobody is there.
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
  return isHere && selector !== undefined && matchesSelector(fieldsOf(selector), neighbor.labels);
}

/** A label selector of an object: all of `matchLabels` and all of `matchExpressions`. */
export function matchesSelector(selector: Fields, labels: Fields): boolean {
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
