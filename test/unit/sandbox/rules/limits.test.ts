import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Kinds, type Kind } from "../../../../src/sandbox/api/kinds.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { applyLimits, formatQuantity, usageOf } from "../../../../src/sandbox/rules/limits.ts";

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
    rows.map(([name, amount]) => formatQuantity(name, amount)),
    rows.map(([, , text]) => text),
  );
});

describe("a new pod in a namespace with limits", () => {
  const pods = kindOf("", "pods");
  const podOf = (name: string, requests: JsonMembers, limits: JsonMembers): KubeObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "etl" },
    spec: { containers: [container(requests, limits)] },
  });
  function namespaceWith(
    resource: "limitranges" | "resourcequotas",
    spec: JsonMembers,
  ): { readonly objects: Objects } {
    const objects = new Objects(
      () => 0,
      (error) => {
        throw error;
      },
    );
    const kind = resource === "limitranges" ? "LimitRange" : "ResourceQuota";
    objects.create(resource, {
      apiVersion: "v1",
      kind,
      metadata: { name: "team", namespace: "etl" },
      spec,
    });
    return { objects };
  }
  const ranged = (limits: JsonMembers) =>
    namespaceWith("limitranges", { limits: [{ type: "Container", ...limits }] });
  const refused = (message: string) => ({
    code: 403,
    message: `pods "a" is forbidden: ${message}`,
  });

  test("gets the defaults of a LimitRange, and keeps its own amounts", () => {
    const context = ranged({
      default: { cpu: "1" },
      defaultRequest: { cpu: "500m", memory: "1Gi" },
    });
    const { spec } = applyLimits(context, pods, podOf("a", { cpu: "100m" }, {}));
    assert.deepEqual(spec, {
      containers: [container({ cpu: "100m", memory: "1Gi" }, { cpu: "1" })],
    });
  });

  test("may have exactly the minimum and the maximum of a LimitRange", () => {
    const context = ranged({ min: { cpu: "100m" }, max: { cpu: "2" } });
    const pod = podOf("a", { cpu: "100m" }, { cpu: "2" });
    assert.deepEqual(applyLimits(context, pods, pod), pod);
    assert.throws(
      () => applyLimits(context, pods, podOf("a", { cpu: "99m" }, { cpu: "2" })),
      refused("minimum cpu usage per Container is 100m, but request is 99m"),
    );
    assert.throws(
      () => applyLimits(context, pods, podOf("a", { cpu: "1" }, { cpu: "3" })),
      refused("maximum cpu usage per Container is 2, but limit is 3"),
    );
    assert.throws(
      () => applyLimits(context, pods, podOf("a", { cpu: "1m" }, { cpu: "3" })),
      refused(
        "[maximum cpu usage per Container is 2, but limit is 3, minimum cpu usage per Container is 100m, but request is 1m]",
      ),
    );
  });

  test("is unchanged by ranges of pods and for objects of other kinds", () => {
    const context = ranged({ type: "Pod", max: { cpu: "1m" } });
    const pod = podOf("a", { cpu: "1" }, {});
    assert.equal(applyLimits(context, pods, pod), pod);
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "etl" } };
    assert.equal(applyLimits(ranged({}), kindOf("", "configmaps"), map), map);
  });

  test("may use a ResourceQuota up to its amount, together with existing pods", () => {
    const context = namespaceWith("resourcequotas", { hard: { "requests.cpu": "2", pods: "5" } });
    context.objects.create("pods", podOf("other", { cpu: "1500m" }, {}));
    const pod = podOf("a", { cpu: "500m" }, {});
    assert.equal(applyLimits(context, pods, pod), pod);
    assert.throws(
      () => applyLimits(context, pods, podOf("a", { cpu: "501m" }, {})),
      refused(
        "exceeded quota: team, requested: requests.cpu=501m, used: requests.cpu=1500m, limited: requests.cpu=2",
      ),
    );
  });
});
