import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Kinds, type Kind } from "../../../../src/sandbox/api/kinds.ts";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { shown, usageOf } from "../../../../src/sandbox/rules/limits.ts";

const kinds = new Kinds((error) => {
  throw error;
});

function kindOf(group: string, plural: string): Kind {
  const kind = kinds.find(group, "v1", plural);
  if (kind === undefined) throw new Error(`no kind ${plural}`);
  return kind;
}

const usage = (kind: Kind, members: JsonMembers): unknown =>
  usageOf(kind, { apiVersion: "v1", kind: kind.kind, metadata: { name: "a" }, ...members });

const container = (requests: JsonMembers, limits: JsonMembers): JsonMembers => ({
  name: "main",
  resources: { requests, limits },
});

describe("the usage that a quota counts", () => {
  test("sums the requests and limits of a pod's containers", () => {
    const spec = {
      containers: [
        container({ cpu: "500m", memory: "1Gi" }, { cpu: "1" }),
        container({ cpu: "250m" }, { cpu: "2" }),
      ],
    };
    assert.deepEqual(usage(kindOf("", "pods"), { spec, status: { phase: "Running" } }), {
      "count/pods": 1,
      pods: 1,
      cpu: 0.75,
      memory: 2 ** 30,
      "requests.cpu": 0.75,
      "requests.memory": 2 ** 30,
      "limits.cpu": 3,
    });
  });

  for (const phase of ["Succeeded", "Failed"]) {
    test(`is empty for a pod in phase ${phase}`, () => {
      const spec = { containers: [container({ cpu: "1" }, {})] };
      assert.deepEqual(usage(kindOf("", "pods"), { spec, status: { phase } }), {});
    });
  }

  test("counts a pending pod", () => {
    const spec = { containers: [container({ cpu: "1" }, {})] };
    const counted = usageOf(kindOf("", "pods"), {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a" },
      spec,
      status: { phase: "Pending" },
    });
    assert.equal(counted["requests.cpu"], 1);
  });

  test("counts the storage of a claim", () => {
    const spec = { resources: { requests: { storage: "2Gi" } } };
    assert.deepEqual(usage(kindOf("", "persistentvolumeclaims"), { spec }), {
      "count/persistentvolumeclaims": 1,
      persistentvolumeclaims: 1,
      "requests.storage": 2 * 2 ** 30,
    });
  });

  test("counts a kind of a group under its full name only", () => {
    assert.deepEqual(usage(kindOf("networking.k8s.io", "ingresses"), {}), {
      "count/ingresses.networking.k8s.io": 1,
    });
  });
});

test("formats amounts of quotas like Kubernetes", () => {
  const rows: readonly (readonly [name: string, amount: number, text: string])[] = [
    ["requests.memory", 2 ** 30, "1Gi"],
    ["requests.memory", 3 * 2 ** 20, "3Mi"],
    ["requests.storage", 2 ** 10, "1Ki"],
    ["requests.cpu", 2, "2"],
    ["requests.cpu", 0.5, "500m"],
    ["pods", 3, "3"],
  ];
  assert.deepEqual(
    rows.map(([name, amount]) => shown(name, amount)),
    rows.map(([, , text]) => text),
  );
});
