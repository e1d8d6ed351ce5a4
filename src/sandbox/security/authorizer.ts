import type { User } from "../api/context.ts";
import type { Objects } from "../api/objects.ts";
import {
  type JsonValue,
  type JsonArray,
  type JsonMembers,
  type KubeObject,
  plainTextOf,
} from "../kubeObject.ts";
import { items } from "../rules/podRules.ts";
import { asObject } from "../schema/schema.ts";

/** A request to authorize. */
export interface Attempt {
  readonly verb: string;
  readonly group: string;
  /** The plural, with a subresource after a slash. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path of a non-resource request. */
  readonly path?: string;
}

const texts = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as JsonArray).map(String) : [];

/** True if the stored roles and bindings (RBAC) allow the attempt, or the user is in system:masters. */
export const isAllowed = (objects: Objects, user: User, attempt: Attempt): boolean =>
  grantingBinding(objects, user, attempt) !== undefined;

/** Describes the first binding that allows a request; "" for system:masters, undefined if no binding allows it. */
export function grantingBinding(
  objects: Objects,
  user: User,
  attempt: Attempt,
): string | undefined {
  if (user.groups.includes("system:masters")) return "";
  return grantsOf(objects, user, attempt.namespace).find(({ rules }) =>
    rules.some((rule) => covers(rule, attempt)),
  )?.why;
}

/** Returns the RBAC rules that apply to a user in a namespace. */
export const accessRulesOf = (
  objects: Objects,
  user: User,
  namespace: string,
): readonly JsonMembers[] =>
  user.groups.includes("system:masters")
    ? [everything, everyPath]
    : grantsOf(objects, user, namespace).flatMap(({ rules }) => rules);

interface Grant {
  readonly why: string;
  readonly rules: readonly JsonMembers[];
}

function grantsOf(objects: Objects, user: User, namespace: string): readonly Grant[] {
  const rbac = "rbac.authorization.k8s.io";
  const bindings = [
    ...objects.list(`clusterrolebindings.${rbac}`),
    ...(namespace === "" ? [] : objects.list(`rolebindings.${rbac}`, namespace)),
  ];
  return bindings.flatMap((binding) => {
    const subject = items(binding["subjects"]).find((one) => isSubject(one, user));
    if (subject === undefined) return [];
    const role = asObject(binding["roleRef"]) ?? {};
    const isWide = role["kind"] === "ClusterRole";
    const name = plainTextOf(role["name"]);
    const found = objects.get({
      resource: isWide ? `clusterroles.${rbac}` : `roles.${rbac}`,
      namespace: isWide ? "" : (binding.metadata.namespace ?? ""),
      name,
    });
    if (found === undefined) return [];
    const place = binding.metadata.namespace === undefined ? "" : `/${binding.metadata.namespace}`;
    const why = `RBAC: allowed by ${binding.kind} "${binding.metadata.name}${place}" of ${plainTextOf(role["kind"])} "${name}" to ${plainTextOf(subject["kind"])} "${plainTextOf(subject["name"])}${subject["kind"] === "ServiceAccount" ? `/${plainTextOf(subject["namespace"])}` : ""}"`;
    return [{ why, rules: items(found["rules"]) }];
  });
}

const everything: JsonMembers = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };
const everyPath: JsonMembers = { verbs: ["*"], nonResourceURLs: ["*"] };

function isSubject(subject: JsonMembers, user: User): boolean {
  const { kind, name, namespace } = subject;
  if (kind === "User") return name === user.name;
  if (kind === "Group") return user.groups.includes(plainTextOf(name));
  return user.name === `system:serviceaccount:${plainTextOf(namespace)}:${plainTextOf(name)}`;
}

function covers(rule: JsonMembers, attempt: Attempt): boolean {
  const has = (list: JsonValue | undefined, value: string): boolean => {
    const all = texts(list);
    return all.includes("*") || all.includes(value);
  };
  if (!has(rule["verbs"], attempt.verb)) return false;
  if (attempt.path !== undefined) {
    return texts(rule["nonResourceURLs"]).some(
      (one) =>
        one === attempt.path || (one.endsWith("*") && attempt.path?.startsWith(one.slice(0, -1))),
    );
  }
  const subresource = attempt.resource.split("/")[1];
  const resources = texts(rule["resources"]);
  const isOne =
    has(rule["resources"], attempt.resource) ||
    (subresource !== undefined && resources.includes(`*/${subresource}`));
  const names = texts(rule["resourceNames"]);
  return (
    isOne &&
    has(rule["apiGroups"], attempt.group) &&
    (names.length === 0 || names.includes(attempt.name))
  );
}

/** Returns the default ClusterRoles of Kubernetes, reduced to the kinds that the sandbox serves. */
export function standardRoles(): readonly KubeObject[] {
  const all = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
  const see = ["get", "list", "watch"];
  const core =
    "configmaps endpoints events persistentvolumeclaims pods pods/log pods/status services";
  const role = (name: string, rules: readonly JsonMembers[]): KubeObject => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name, labels: { "kubernetes.io/bootstrapping": "rbac-defaults" } },
    rules,
  });
  const rule = (group: string, resources: string, verbs: readonly string[]): JsonMembers => ({
    apiGroups: [group],
    resources: resources.split(" "),
    verbs,
  });
  const view = [
    rule("", `${core} limitranges namespaces resourcequotas serviceaccounts`, see),
    rule("networking.k8s.io", "ingresses networkpolicies", see),
    rule("policy", "poddisruptionbudgets", see),
  ];
  const edit = [
    ...view,
    rule(
      "",
      `${core} pods/eviction pods/exec pods/portforward pods/proxy secrets serviceaccounts`,
      all,
    ),
    rule("networking.k8s.io", "ingresses networkpolicies", all),
    rule("policy", "poddisruptionbudgets", all),
    rule("coordination.k8s.io", "leases", all),
  ];
  const roles = rule("rbac.authorization.k8s.io", "rolebindings roles", all);
  return [
    role("cluster-admin", [everything, everyPath]),
    role("admin", [...edit, roles]),
    role("edit", edit),
    role("view", view),
    role("system:discovery", [
      {
        verbs: ["get"],
        nonResourceURLs: [
          "/api",
          "/api/*",
          "/apis",
          "/apis/*",
          "/healthz",
          "/livez",
          "/openapi",
          "/openapi/*",
          "/readyz",
          "/version",
          "/version/",
        ],
      },
    ]),
    role("system:basic-user", [
      rule("authorization.k8s.io", "selfsubjectaccessreviews selfsubjectrulesreviews", ["create"]),
      rule("authentication.k8s.io", "selfsubjectreviews", ["create"]),
    ]),
  ];
}

export const standardBindings = (): readonly KubeObject[] =>
  [
    ["cluster-admin", "system:masters"],
    ["system:discovery", "system:authenticated"],
    ["system:basic-user", "system:authenticated"],
  ].map(([role = "", group = ""]) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: role, labels: { "kubernetes.io/bootstrapping": "rbac-defaults" } },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    subjects: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: group }],
  }));
