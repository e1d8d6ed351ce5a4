import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { onCreate, onUpdate } from "../../../../src/sandbox/rules/lifecycle.ts";

const kinds = new Kinds((error) => {
  throw error;
});
const kindOf = (resource: string) => kinds.find("", "v1", resource) ?? assert.fail(resource);
const objectOf = (
  kind: string,
  more: JsonMembers = {},
  metadata: JsonMembers = {},
): KubeObject => ({
  ...{ apiVersion: "v1", kind, metadata: { name: "a", ...metadata } },
  ...more,
});

describe("a new object", () => {
  const asking = (...resources: JsonMembers[]): JsonMembers => ({
    spec: { containers: resources.map((one) => ({ name: "a", resources: one })) },
  });
  const [both, other] = [
    { cpu: "1", memory: "1Gi" },
    { cpu: "2", memory: "1Gi" },
  ];
  for (const [title, pod, expected] of [
    ["without amounts", asking({}), "BestEffort"],
    ["without containers", { spec: {} }, "BestEffort"],
    [
      "with amounts of other resources",
      asking({ limits: { "nvidia.com/gpu": "1" } }),
      "BestEffort",
    ],
    ["with requests", asking({ requests: both }), "Burstable"],
    ["with equal limits and requests", asking({ requests: both, limits: both }), "Guaranteed"],
    ["with other limits", asking({ requests: both, limits: other }), "Burstable"],
    [
      "with a cpu limit only",
      asking({ requests: { cpu: "1" }, limits: { cpu: "1" } }),
      "Burstable",
    ],
    [
      "with one container without limits",
      asking({ requests: both, limits: both }, {}),
      "Burstable",
    ],
    [
      "with GPUs besides",
      asking({ requests: { ...both, gpu: "1" }, limits: { ...both, gpu: "1" } }),
      "Guaranteed",
    ],
  ] as const) {
    test(`pod ${title} is pending, with the class ${expected}`, () => {
      const made = onCreate(
        kindOf("pods"),
        objectOf("Pod", { ...pod, status: { phase: "Running" } }),
      );
      assert.deepEqual(made["status"], { phase: "Pending", qosClass: expected });
      assert.equal(made.metadata.generation, 1);
    });
  }

  test("has the first state of its kind, and no status of the client", () => {
    const made = (resource: string, kind: string): KubeObject =>
      onCreate(kindOf(resource), objectOf(kind, { status: { wrong: true } }));
    assert.deepEqual(made("namespaces", "Namespace")["status"], { phase: "Active" });
    assert.deepEqual(made("namespaces", "Namespace")["spec"], { finalizers: ["kubernetes"] });
    assert.deepEqual(made("persistentvolumeclaims", "PersistentVolumeClaim")["status"], {
      phase: "Pending",
    });
    assert.deepEqual(made("services", "Service")["status"], { loadBalancer: {} });
    assert.deepEqual(made("nodes", "Node")["status"], undefined);
    assert.equal("generation" in made("services", "Service").metadata, false);
  });
});

describe("an updated object", () => {
  const before = objectOf(
    "Pod",
    { spec: { a: 1 }, status: { phase: "Running" } },
    { generation: 3 },
  );
  const update = (after: KubeObject, subresource = ""): KubeObject =>
    onUpdate(kindOf("pods"), subresource, before, after);

  test("keeps its status, and counts a change of its spec", () => {
    const changed = update({ ...before, spec: { a: 2 }, status: { phase: "Failed" } });
    assert.deepEqual([changed["spec"], changed["status"]], [{ a: 2 }, { phase: "Running" }]);
    assert.equal(changed.metadata.generation, 4);
    const labeled = update({ ...before, metadata: { ...before.metadata, labels: { a: "b" } } });
    assert.equal(labeled.metadata.generation, 3);
  });

  test("changes only its status and metadata by the subresource", () => {
    const changed = update(
      {
        ...before,
        spec: { a: 2 },
        status: { phase: "Failed" },
        metadata: { name: "a", labels: {} },
      },
      "status",
    );
    assert.deepEqual(changed, {
      ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: {} } },
      ...{ spec: { a: 1 }, status: { phase: "Failed" } },
    });
  });

  test("keeps the addresses of a service, unless it has others", () => {
    const service = objectOf("Service", {
      spec: { clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"] },
    });
    const specOf = (spec: JsonMembers): unknown =>
      onUpdate(kindOf("services"), "", service, { ...service, spec })["spec"];
    assert.deepEqual(specOf({ ports: [] }), {
      ...{ ports: [], clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"] },
    });
    assert.deepEqual(specOf({ clusterIP: "None", clusterIPs: ["None"] }), {
      ...{ clusterIP: "None", clusterIPs: ["None"] },
    });
  });
});
