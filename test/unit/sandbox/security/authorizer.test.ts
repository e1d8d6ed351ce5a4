import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ApiContext, User } from "../../../../src/sandbox/api/context.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";
import { review } from "../../../../src/sandbox/api/reviews.ts";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import {
  accessRulesOf,
  isAllowed,
  grantingBinding,
  type Attempt,
} from "../../../../src/sandbox/security/authorizer.ts";

const rbac = "rbac.authorization.k8s.io";
const rethrow = (error: unknown): void => {
  throw error;
};
const ada: User = { name: "ada", groups: ["team"] };
const getPods: Attempt = { verb: "get", group: "", resource: "pods", namespace: "jobs", name: "p" };

interface Grant {
  readonly rule: JsonMembers;
  readonly subject?: JsonMembers;
  readonly kind?: "Role" | "ClusterRole";
  /** Namespace of a RoleBinding; undefined for a ClusterRoleBinding. */
  readonly namespace?: string | undefined;
  /** Name of the role in the binding, which need not exist. */
  readonly role?: string;
}

const toPods = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };

function objectsWith({
  rule,
  subject = { kind: "User", name: "ada" },
  kind = "Role",
  namespace,
  role = "r",
}: Grant): Objects {
  const objects = new Objects(() => 0, rethrow);
  const place = namespace === undefined ? {} : { namespace };
  const apiVersion = `${rbac}/v1`;
  const isWide = kind === "ClusterRole";
  objects.create(isWide ? `clusterroles.${rbac}` : `roles.${rbac}`, {
    ...{ apiVersion, kind, rules: [rule] },
    metadata: { name: "r", ...(isWide ? {} : place) },
  });
  const binding = namespace === undefined ? "ClusterRoleBinding" : "RoleBinding";
  objects.create(`${binding.toLowerCase()}s.${rbac}`, {
    ...{ apiVersion, kind: binding, metadata: { name: "b", ...place } },
    ...{ roleRef: { kind, name: role }, subjects: [subject] },
  });
  return objects;
}

const inJobs = (rule: JsonMembers, more: Partial<Grant> = {}): Objects =>
  objectsWith({ rule, namespace: "jobs", ...more });

describe("a rule", () => {
  for (const [rule, attempt, expected] of [
    [toPods, {}, true],
    [{ ...toPods, verbs: ["list"] }, {}, false],
    [{ ...toPods, verbs: ["*"] }, {}, true],
    [{ ...toPods, apiGroups: ["apps"] }, {}, false],
    [{ ...toPods, apiGroups: ["*"] }, { group: "apps" }, true],
    [{ ...toPods, resources: ["*"] }, { resource: "secrets" }, true],
    [{ ...toPods, resources: ["secrets"] }, {}, false],
    [toPods, { resource: "pods/log" }, false],
    [{ ...toPods, resources: ["pods/log"] }, { resource: "pods/log" }, true],
    [{ ...toPods, resources: ["pods/log"] }, {}, false],
    [{ ...toPods, resources: ["*/log"] }, { resource: "pods/log" }, true],
    [{ ...toPods, resources: ["*/log"] }, { resource: "pods/exec" }, false],
    [{ ...toPods, resourceNames: ["p"] }, {}, true],
    [{ ...toPods, resourceNames: ["q"] }, {}, false],
    [{ ...toPods, resourceNames: ["p"] }, { name: "" }, false],
    [toPods, { namespace: "other" }, false],
    [toPods, { namespace: "" }, false],
    [{}, {}, false],
  ] as const) {
    test(`${JSON.stringify(rule)} ${expected ? "allows" : "refuses"} ${JSON.stringify(attempt)}`, () => {
      assert.equal(isAllowed(inJobs(rule), ada, { ...getPods, ...attempt }), expected);
    });
  }

  test("for paths allows the path, or all below it", () => {
    const pathOf = (nonResourceURLs: string[], path: string): boolean => {
      const objects = objectsWith({
        rule: { verbs: ["get"], nonResourceURLs },
        kind: "ClusterRole",
      });
      const none = { ...getPods, resource: "", namespace: "", name: "" };
      return isAllowed(objects, ada, { ...none, path });
    };
    assert.equal(pathOf(["/version"], "/version"), true);
    assert.equal(pathOf(["/version"], "/version/x"), false);
    assert.equal(pathOf(["/apis/*"], "/apis/x"), true);
    assert.equal(pathOf(["/apis/*"], "/api"), false);
    assert.equal(pathOf(["*"], "/anything"), true);
  });
});

describe("a binding", () => {
  for (const [subject, user, expected] of [
    [{ kind: "User", name: "ada" }, ada, true],
    [{ kind: "User", name: "eve" }, ada, false],
    [{ kind: "Group", name: "team" }, ada, true],
    [{ kind: "Group", name: "ada" }, ada, false],
    [
      { kind: "ServiceAccount", name: "spark", namespace: "jobs" },
      { name: "system:serviceaccount:jobs:spark", groups: [] },
      true,
    ],
    [
      { kind: "ServiceAccount", name: "spark", namespace: "other" },
      { name: "system:serviceaccount:jobs:spark", groups: [] },
      false,
    ],
  ] as const) {
    test(`to ${JSON.stringify(subject)} ${expected ? "is" : "is not"} one to ${user.name}`, () => {
      assert.equal(isAllowed(inJobs(toPods, { subject }), user, getPods), expected);
    });
  }

  test("of a namespace may name a ClusterRole, and a cluster-wide one holds everywhere", () => {
    const cluster = { kind: "ClusterRole" } as const;
    assert.equal(isAllowed(inJobs(toPods, cluster), ada, getPods), true);
    assert.equal(
      isAllowed(inJobs(toPods, cluster), ada, { ...getPods, namespace: "other" }),
      false,
    );
    const wide = objectsWith({ rule: toPods, ...cluster });
    for (const namespace of ["jobs", "other", ""]) {
      assert.equal(isAllowed(wide, ada, { ...getPods, namespace }), true);
    }
  });

  test("to a missing role allows nothing", () => {
    assert.equal(isAllowed(inJobs(toPods, { role: "none" }), ada, getPods), false);
  });

  test("is named as the reason", () => {
    assert.equal(
      grantingBinding(inJobs(toPods), ada, getPods),
      'RBAC: allowed by RoleBinding "b/jobs" of Role "r" to User "ada"',
    );
    const subject = { kind: "ServiceAccount", name: "spark", namespace: "jobs" };
    assert.equal(
      grantingBinding(
        objectsWith({ rule: toPods, kind: "ClusterRole", subject }),
        { name: "system:serviceaccount:jobs:spark", groups: [] },
        getPods,
      ),
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to ServiceAccount "spark/jobs"',
    );
    const master = { name: "root", groups: ["system:masters"] };
    assert.equal(grantingBinding(new Objects(() => 0, rethrow), master, getPods), "");
    assert.equal(accessRulesOf(new Objects(() => 0, rethrow), master, "jobs").length, 2);
  });
});

describe("a review", () => {
  const asked = (kind: string, spec: JsonMembers, objects = inJobs(toPods), metadata = {}) =>
    review({ objects } as unknown as ApiContext, ada, kind, { spec, metadata }, (token) =>
      token === "known" ? { ...ada, uid: "u" } : undefined,
    );
  const attributes = { verb: "get", resource: "pods", namespace: "jobs" };

  test("of the user's own access says why it is allowed", () => {
    const spec = { resourceAttributes: attributes };
    assert.deepEqual(asked("SelfSubjectAccessReview", spec), {
      ...{ kind: "SelfSubjectAccessReview", apiVersion: "authorization.k8s.io/v1", spec },
      status: {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "b/jobs" of Role "r" to User "ada"',
      },
    });
    const logs = { resourceAttributes: { ...attributes, subresource: "log" } };
    assert.deepEqual(asked("SelfSubjectAccessReview", logs)?.["status"], { allowed: false });
  });

  test("of another user's access takes the user and the groups of the request", () => {
    const statusOf = (who: JsonMembers): unknown =>
      asked("SubjectAccessReview", { ...who, resourceAttributes: attributes })?.["status"];
    assert.deepEqual(statusOf({ user: "eve" }), { allowed: false });
    assert.deepEqual(statusOf({ user: "eve", groups: ["system:masters"] }), { allowed: true });
  });

  test("of a path, and a refusal without a resource or a path", () => {
    const rule = { verbs: ["get"], nonResourceURLs: ["/version"] };
    const objects = objectsWith({ rule, kind: "ClusterRole" });
    const path = { nonResourceAttributes: { verb: "get", path: "/version" } };
    const status = asked("SelfSubjectAccessReview", path, objects)?.["status"] as JsonMembers;
    assert.equal(status["allowed"], true);
    assert.throws(
      () => asked("SelfSubjectAccessReview", {}),
      (error) => error instanceof Refusal && error.code === 422,
    );
  });

  test("of all rules separates resources from paths", () => {
    const rules = (rule: JsonMembers): unknown =>
      asked("SelfSubjectRulesReview", { namespace: "jobs" }, inJobs(rule))?.["status"];
    assert.deepEqual(rules({ ...toPods, more: 1 }), {
      ...{ resourceRules: [{ ...toPods }], nonResourceRules: [], incomplete: false },
    });
    const paths = { verbs: ["get"], nonResourceURLs: ["/x"] };
    assert.deepEqual(rules(paths), {
      ...{ resourceRules: [], nonResourceRules: [paths], incomplete: false },
    });
  });

  test("of oneself and of a token gives the user", () => {
    const self = asked("SelfSubjectReview", {}, undefined, { name: "x" });
    assert.deepEqual(self, {
      ...{ kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" },
      ...{ metadata: { name: "x" }, status: { userInfo: { username: "ada", groups: ["team"] } } },
    });
    assert.deepEqual(asked("TokenReview", { token: "known" })?.["status"], {
      authenticated: true,
      user: { username: "ada", uid: "u", groups: ["team"] },
    });
    assert.deepEqual(asked("TokenReview", { token: "other" })?.["status"], {
      ...{ user: {}, error: "the token is unknown" },
    });
    assert.equal(asked("Other", {}), undefined);
  });
});
