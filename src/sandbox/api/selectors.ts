import { asObject } from "../schema/schema.ts";
import { type JsonValue, type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import { wrongQualified } from "../rules/names.ts";
import { badRequest } from "./refusal.ts";

/** Returns true if an object matches. */
export type Selector = (object: KubeObject) => boolean;

const name = /^(?:[a-z0-9A-Z.-]+\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const value = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

/** Parses a label selector: equality and set terms, joined by commas. Throws a 400 if it is invalid. */
export function labelSelector(text: string): Selector {
  const terms = splitOutside(text).map((term) => labelTerm(term.trim(), text));
  return ({ metadata }) => terms.every((holds) => holds(asText(metadata.labels)));
}

type Texts = Readonly<Record<string, string>>;

const asText = (labels: object | undefined): Texts => (labels ?? {}) as Texts;

function labelTerm(term: string, whole: string): (labels: Texts) => boolean {
  const set = /^(\S+)\s+(in|notin)\s*\((.*)\)$/.exec(term);
  if (set !== null) {
    const [, key = "", word, list = ""] = set;
    const values = new Set(list.split(",").map((one) => one.trim()));
    check(key, values, whole);
    return word === "in"
      ? (labels) => labels[key] !== undefined && values.has(labels[key])
      : (labels) => labels[key] === undefined || !values.has(labels[key]);
  }
  if (/={3}/.test(term)) {
    throw badRequest("unable to parse requirement: found '=', expected: identifier");
  }
  const equal = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(term);
  if (equal !== null) {
    const [, key = "", sign, wanted = ""] = equal;
    check(key, [wanted], whole);
    return sign === "!=" ? (labels) => labels[key] !== wanted : (labels) => labels[key] === wanted;
  }
  const negated = term.startsWith("!");
  const key = term.replace(/^!\s*/, "");
  check(key, [], whole);
  return (labels) => Object.hasOwn(labels, key) !== negated;
}

function check(key: string, values: Iterable<string>, whole: string): void {
  if (name.test(key) && [...values].every((one) => value.test(one) && one.length <= 63)) return;
  throw badRequest(
    name.test(key)
      ? `unable to parse requirement: ${whole}`
      : `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: ${wrongQualified}`,
  );
}

// Splits at commas, but not inside the parentheses of a set.
const splitOutside = (text: string): readonly string[] =>
  text.trim() === "" ? [] : text.split(/,(?![^(]*\))/);

/** Parses a field selector like `metadata.name=a,status.phase!=Running`. Throws a 400 for a field without support. */
export function fieldSelector(text: string, kind: string): Selector {
  const known = fields[kind] ?? [];
  const terms = text.split(",").filter((term) => term.trim() !== "");
  const checks = terms.map((term) => {
    const [, path = "", sign, wanted = ""] = /^([^=!]+)(==|=|!=)(.*)$/.exec(term.trim()) ?? [];
    if (sign === undefined)
      throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    if (path !== "metadata.name" && path !== "metadata.namespace" && !known.includes(path)) {
      throw badRequest(
        fields[kind] === undefined
          ? `${JSON.stringify(path)} is not a known field selector: only "metadata.name", "metadata.namespace"`
          : `field label not supported: ${path}`,
      );
    }
    return (object: KubeObject) => (textAt(object, path) === wanted) !== (sign === "!=");
  });
  return (object) => checks.every((holds) => holds(object));
}

const fields: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  Node: ["spec.unschedulable"],
  Secret: ["type"],
  Namespace: ["status.phase"],
  Service: ["spec.clusterIP", "spec.type"],
  Event: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
};

function textAt(object: KubeObject, path: string): string {
  const found =
    path === "source"
      ? asObject(object["source"])?.["component"]
      : path.split(".").reduce<JsonValue | undefined>((json, key) => asObject(json)?.[key], object);
  if (found === undefined && path === "spec.hostNetwork") return "false";
  if (found === undefined && path === "spec.unschedulable") return "false";
  return found === undefined ? "" : plainTextOf(found);
}

/** Evaluates a LabelSelector object with `matchLabels` and `matchExpressions`; an empty one matches all. */
export function matchesSelector(selector: JsonMembers, { metadata }: KubeObject): boolean {
  const labels = asText(metadata.labels);
  const equal = Object.entries(asObject(selector["matchLabels"]) ?? {});
  const terms = Array.isArray(selector["matchExpressions"])
    ? (selector["matchExpressions"] as readonly JsonMembers[])
    : [];
  return (
    equal.every(([key, wanted]) => labels[key] === wanted) &&
    terms.every(({ key, operator, values }) => {
      const own = labels[plainTextOf(key)];
      const named = Array.isArray(values) ? values.map(String) : [];
      if (operator === "Exists") return own !== undefined;
      if (operator === "DoesNotExist") return own === undefined;
      const isNamed = own !== undefined && named.includes(own);
      return operator === "In" ? isNamed : !isNamed;
    })
  );
}
