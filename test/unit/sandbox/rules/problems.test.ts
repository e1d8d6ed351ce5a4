import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { createProblems, updateProblems } from "../../../../src/sandbox/rules/problems.ts";

const objectOf = (kind: string, more: JsonMembers = {}, name = "one"): KubeObject => ({
  ...{ apiVersion: kind.endsWith("Binding") ? "rbac.authorization.k8s.io/v1" : "v1", kind },
  metadata: { name },
  ...more,
});
const told = (problems: ReturnType<typeof createProblems>): readonly string[] =>
  problems.map(
    ({ reason, field, message }) => `${reason.slice("FieldValue".length)} ${field}: ${message}`,
  );
const created = (kind: string, more: JsonMembers): readonly string[] =>
  told(createProblems(objectOf(kind, more)));
const updated = (kind: string, before: JsonMembers, after: JsonMembers): readonly string[] =>
  told(updateProblems(objectOf(kind, before), objectOf(kind, after)));

const badKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const port = (number: unknown, more: object = {}): JsonMembers =>
  ({ port: number, targetPort: number, ...more }) as JsonMembers;
const service = (more: JsonMembers): JsonMembers => ({ spec: { type: "ClusterIP", ...more } });
const claim = (accessModes: readonly string[] | string, storage?: string | number) => ({
  spec: {
    accessModes,
    resources: { requests: storage === undefined ? {} : { storage } },
  },
});
const range = "must be between 1 and 65535, inclusive";
const role = (kind: string, name: string): JsonMembers => ({
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
});

describe("the problems of a new object", () => {
  const rows: readonly (readonly [
    title: string,
    kind: string,
    JsonMembers,
    ...expected: readonly string[],
  ])[] = [
    ["config map without data", "ConfigMap", {}],
    ["config map", "ConfigMap", { data: { "a.b-C_9": "1", "..a": "" }, binaryData: { a: "" } }],
    [
      "config map with wrong keys",
      "ConfigMap",
      { data: { "a b": "1", ".": "" }, binaryData: { "..": "", "": "" } },
      `Invalid data[a b]: Invalid value: "a b": ${badKey}`,
      `Invalid data[.]: Invalid value: ".": must not be '.'`,
      `Invalid binaryData[..]: Invalid value: "..": must not be '..'`,
      `Invalid binaryData[]: Invalid value: "": ${badKey}`,
    ],
    ["config map with a key of 253 characters", "ConfigMap", { data: { ["a".repeat(253)]: "" } }],
    [
      "config map with a key of 254 characters",
      "ConfigMap",
      { data: { ["a".repeat(254)]: "" } },
      `Invalid data[${"a".repeat(254)}]: Invalid value: "${"a".repeat(254)}": ${badKey}`,
    ],
    ["secret", "Secret", { data: { a: "" } }],
    [
      "secret with a wrong key",
      "Secret",
      { data: { "a/b": "" } },
      `Invalid data[a/b]: Invalid value: "a/b": ${badKey}`,
    ],
    ["service", "Service", service({ ports: [port(1)] })],
    [
      "service with several ports",
      "Service",
      service({ ports: [port(1, { name: "a" }), port(65_535, { name: "b", targetPort: "ui" })] }),
    ],
    ["headless service without ports", "Service", service({ clusterIP: "None" })],
    ["external name", "Service", service({ type: "ExternalName" })],
    ...["LoadBalancer", "NodePort"].map(
      (type) =>
        [`service of type ${type}`, "Service", service({ type, ports: [port(1)] })] as const,
    ),
    ["service without ports", "Service", service({}), "Required spec.ports: Required value"],
    [
      "service with unnamed ports",
      "Service",
      service({ ports: [port(1), port(2, { name: "b" })] }),
      "Required spec.ports[0].name: Required value",
    ],
    [
      "service with wrong ports",
      "Service",
      service({
        ports: [port(0, { name: "a" }), port(65_536, { name: "b" })],
      }),
      `Invalid spec.ports[0].port: Invalid value: 0: ${range}`,
      `Invalid spec.ports[0].targetPort: Invalid value: 0: ${range}`,
      `Invalid spec.ports[1].port: Invalid value: 65536: ${range}`,
      `Invalid spec.ports[1].targetPort: Invalid value: 65536: ${range}`,
    ],
    [
      "service with a wrong selector and type",
      "Service",
      service({ type: "Magic", ports: [port(1)], selector: { "": "b" } }),
      'Invalid spec.selector: Invalid value: "": name part must be non-empty',
      "Invalid spec.selector: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'NotSupported spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    ["claim", "PersistentVolumeClaim", claim(["ReadWriteOnce"], "1Gi")],
    ["claim of a byte", "PersistentVolumeClaim", claim(["ReadWriteOnce"], "1")],
    [
      "claim without access modes",
      "PersistentVolumeClaim",
      claim([], "1Gi"),
      "Required spec.accessModes: Required value: at least 1 access mode is required",
    ],
    [
      "claim without a list of access modes",
      "PersistentVolumeClaim",
      claim("ReadWriteOnce", "1Gi"),
      "Required spec.accessModes: Required value: at least 1 access mode is required",
    ],
    [
      "claim without storage",
      "PersistentVolumeClaim",
      claim(["ReadWriteOnce"]),
      "Required spec.resources[storage]: Required value",
    ],
    ...(["0", "-1", "x"] as const).map(
      (storage) =>
        [
          `claim of ${storage}`,
          "PersistentVolumeClaim",
          claim(["ReadWriteOnce"], storage),
          `Invalid spec.resources[storage]: Invalid value: "${storage}": must be greater than zero`,
        ] as const,
    ),
    [
      "claim without a spec",
      "PersistentVolumeClaim",
      {},
      "Required spec.accessModes: Required value: at least 1 access mode is required",
      "Required spec.resources[storage]: Required value",
    ],
    ["network policy", "NetworkPolicy", { spec: { podSelector: { matchLabels: { a: "b" } } } }],
    ["network policy without labels", "NetworkPolicy", { spec: { podSelector: {} } }],
    [
      "network policy with a wrong label",
      "NetworkPolicy",
      { spec: { podSelector: { matchLabels: { "/a": "b" } } } },
      'Invalid spec.podSelector.matchLabels: Invalid value: "/a": prefix part must be non-empty',
    ],
    ["role binding", "RoleBinding", role("Role", "r")],
    ["cluster role binding", "ClusterRoleBinding", role("ClusterRole", "r")],
    [
      "role binding to another kind",
      "RoleBinding",
      role("Thing", ""),
      'NotSupported roleRef.kind: Unsupported value: "Thing": supported values: "Role", "ClusterRole"',
      "Required roleRef.name: Required value",
    ],
    [
      "cluster role binding without a role",
      "ClusterRoleBinding",
      {},
      'NotSupported roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"',
      "Required roleRef.name: Required value",
    ],
    [
      "pod without containers",
      "Pod",
      { spec: { restartPolicy: "Never" } },
      "Required spec.containers: Required value",
    ],
    ["object of another kind", "Lease", { spec: { anything: -1 } }],
  ];
  for (const [title, kind, more, ...expected] of rows) {
    test(`${title}: ${expected.length || "no"} problems`, () => {
      assert.deepEqual(created(kind, more), expected);
    });
  }

  test("include those of its metadata", () => {
    const problems = createProblems(objectOf("Lease", {}, "A"));
    assert.deepEqual(
      problems.map(({ field }) => field),
      ["metadata.name"],
    );
  });
});

describe("the problems of an update", () => {
  test("include those of the new object", () => {
    const wrong = [`Invalid data[.]: Invalid value: ".": must not be '.'`];
    for (const kind of ["ConfigMap", "Secret"]) {
      assert.deepEqual(updated(kind, {}, { data: { ".": "" } }), wrong);
    }
    const changed = updated("Secret", { type: "a" }, { type: "b", data: { ".": "" } });
    assert.deepEqual(changed, [...wrong, 'Invalid type: Invalid value: "b": field is immutable']);
    assert.equal(updated("RoleBinding", role("Role", "r"), role("Thing", "r")).length, 2);
    assert.equal(updated("Pod", {}, { spec: {} }).length, 2);
  });

  test("forbid another type of a secret", () => {
    assert.deepEqual(updated("Secret", { type: "a" }, { type: "a", data: { b: "" } }), []);
  });

  test("forbid another role of a binding", () => {
    for (const kind of ["RoleBinding", "ClusterRoleBinding"]) {
      assert.deepEqual(updated(kind, role("Role", "r"), role("Role", "r")), []);
      const { roleRef } = role("Role", "r") as { readonly roleRef: JsonMembers };
      const reordered = Object.fromEntries(Object.entries(roleRef).toReversed());
      assert.deepEqual(updated(kind, { roleRef }, { roleRef: reordered }), []);
      assert.deepEqual(updated(kind, role("Role", "r"), role("Role", "other")), [
        'Invalid roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: cannot change roleRef',
      ]);
    }
  });

  test("forbid another value of a priority class", () => {
    assert.deepEqual(updated("PriorityClass", { value: 1 }, { value: 1, description: "x" }), []);
    assert.deepEqual(updated("PriorityClass", { value: 1 }, { value: 2 }), [
      "Forbidden value: Forbidden: may not be changed in an update.",
    ]);
  });

  test("forbid other containers and fields of a pod", () => {
    const pod = (...names: readonly string[]): JsonMembers => ({
      spec: {
        restartPolicy: "Never",
        containers: names.map((name) => ({ name, image: "x", imagePullPolicy: "Always" })),
      },
    });
    assert.deepEqual(updated("Pod", pod("a"), pod("a")), []);
    assert.deepEqual(updated("Pod", pod("a"), pod("a", "b")), [
      "Forbidden spec.containers: Forbidden: pod updates may not add or remove containers",
    ]);
    const [problem = "", ...rest] = updated("Pod", pod("a"), pod("b"));
    assert.deepEqual(rest, []);
    assert.match(problem, /^Forbidden spec: Forbidden: pod updates may not change fields other/);
  });

  test("forbid changes of an immutable config map", () => {
    const fixed = { immutable: true, data: { a: "1", b: "2" }, binaryData: { c: "AA==" } };
    const why = "Forbidden: field is immutable when `immutable` is set";
    assert.deepEqual(updated("ConfigMap", fixed, { ...fixed, data: { b: "2", a: "1" } }), []);
    for (const [change, ...fields] of [
      [{ immutable: false }, "immutable"],
      [{ immutable: undefined }, "immutable"],
      [{ data: { a: "1" } }, "data"],
      [{ binaryData: {} }, "binaryData"],
      [{ immutable: false, data: {}, binaryData: undefined }, "immutable", "data", "binaryData"],
    ] as const) {
      assert.deepEqual(
        updated("ConfigMap", fixed, { ...fixed, ...change }),
        fields.map((field) => `Forbidden ${field}: ${why}`),
      );
    }
    const free = { immutable: false, data: { a: "1" } };
    assert.deepEqual(updated("ConfigMap", free, { immutable: true, data: {} }), []);
  });
});
