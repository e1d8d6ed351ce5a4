// The expected messages are those of the scheduler of Kubernetes 1.36.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import {
  fitsOn,
  matchesNodeSelector,
  refusalMessage,
} from "../../../../src/sandbox/node/schedule/fits.ts";
import { decodePodSpec } from "../../../../src/sandbox/node/spec/podSpec.ts";

type Room = Parameters<typeof fitsOn>[2];

const machine: Room = {
  name: "node",
  labels: { "kubernetes.io/hostname": "node", cores: "8" },
  free: { cpu: 2, memory: 2 ** 30, pods: 1 },
  allocatable: { cpu: 4, memory: 2 ** 31, pods: 10 },
  neighbors: [{ namespace: "jobs", labels: { app: "orders" } }],
};
const self = { namespace: "jobs", labels: { app: "self" } };

/** Returns "fits", or the reasons why the pod does not fit and whether preemption helps. */
function fit(spec: JsonMembers, room: Partial<Room> = {}, own = self): string {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec };
  const result = fitsOn(decodePodSpec(pod), own, { ...machine, ...room });
  if (result.kind === "fits") return "fits";
  return `${result.reasons.join(", ")}; ${result.preemptionHelps ? "preempt" : "no help"}`;
}

const requesting = (requests: JsonMembers): JsonMembers => ({
  containers: [{ name: "a", resources: { requests } }],
});

describe("the resources of a node", () => {
  for (const [requests, room, expected] of [
    [{ cpu: 2, memory: "1Gi" }, {}, "fits"],
    [{ cpu: 2.5 }, {}, "Insufficient cpu; preempt"],
    [{ cpu: 4.5 }, {}, "Insufficient cpu; no help"],
    [{ memory: "3Gi", cpu: 3 }, {}, "Insufficient cpu, Insufficient memory; no help"],
    [{ "nvidia.com/gpu": 1 }, {}, "Insufficient nvidia.com/gpu; no help"],
    [{ "nvidia.com/gpu": 0 }, {}, "fits"],
    [{ cpu: 3, "nvidia.com/gpu": 0 }, {}, "Insufficient cpu; preempt"],
    [{}, { free: { pods: 0 } }, "Too many pods; preempt"],
    [{}, { free: { pods: 0 }, allocatable: { pods: 0 } }, "Too many pods; no help"],
  ] as const) {
    test(`${JSON.stringify(requests)} of ${JSON.stringify(room)}: ${expected}`, () => {
      assert.equal(fit(requesting(requests), room), expected);
    });
  }
});

describe("node selection", () => {
  const refused = "node(s) didn't match Pod's node affinity/selector; no help";
  const required = (...nodeSelectorTerms: JsonMembers[]): JsonMembers => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  });
  const by = (key: string, operator: string, ...values: string[]): JsonMembers => ({
    matchExpressions: [{ key, operator, values }],
  });
  const named = (name: string): JsonMembers => ({
    matchFields: [{ key: "metadata.name", operator: "In", values: [name] }],
  });
  for (const [title, spec, expected] of [
    ["a label", { nodeSelector: { cores: "8" } }, "fits"],
    ["another label", { nodeSelector: { cores: "8", disk: "ssd" } }, refused],
    ["an expression", required(by("cores", "In", "4", "8")), "fits"],
    ["an expression for other nodes", required(by("cores", "NotIn", "8")), refused],
    ["one of two terms", required(by("cores", "In", "4"), by("cores", "Exists")), "fits"],
    ["another value", required(by("cores", "NotIn", "4")), "fits"],
    ["another value of an absent label", required(by("disks", "NotIn", "4")), "fits"],
    ["a number above the bound", required(by("cores", "Gt", "7")), "fits"],
    ["a number at the lower bound", required(by("cores", "Gt", "8")), refused],
    ["a number at the upper bound", required(by("cores", "Lt", "8")), refused],
    ["a number below the bound", required(by("cores", "Lt", "9")), "fits"],
    ["a number of an absent label", required(by("disks", "Lt", "9")), refused],
    ["a number of another absent label", required(by("disks", "Gt", "0")), refused],
    ["the name of the node", required(named("node")), "fits"],
    ["the name of another node", required(named("other")), refused],
    ["no term", required(), refused],
    ["an empty term", required({}), refused],
    ["a name and a wrong label", required({ ...named("node"), ...by("disk", "Exists") }), refused],
    ["a wrong selector", { nodeSelector: { disk: "ssd" }, ...required(named("node")) }, refused],
    ["no required rules", { affinity: { nodeAffinity: {} } }, "fits"],
  ] as const) {
    test(`by ${title}: ${expected.split(";")[0] ?? ""}`, () => {
      assert.equal(fit(spec), expected);
    });
  }
});

describe("pod affinity", () => {
  const refused = "node(s) didn't match pod affinity rules; no help";
  const apart = "node(s) didn't match pod anti-affinity rules; preempt";
  const affinity = (kind: string, app: string, more: JsonMembers = {}): JsonMembers => ({
    affinity: {
      [kind]: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: "kubernetes.io/hostname",
            labelSelector: { matchLabels: { app } },
            ...more,
          },
        ],
      },
    },
  });
  const near = (app: string, more?: JsonMembers): JsonMembers => affinity("podAffinity", app, more);
  const far = (app: string, more?: JsonMembers): JsonMembers =>
    affinity("podAntiAffinity", app, more);
  for (const [title, spec, expected] of [
    ["near a neighbor", near("orders"), "fits"],
    ["near an absent pod", near("users"), refused],
    ["near pods like itself, as the first", near("self"), "fits"],
    ["near a pod of another namespace", near("orders", { namespaces: ["other"] }), refused],
    ["near a pod of a named namespace", near("orders", { namespaces: ["jobs"] }), "fits"],
    [
      "near a pod of any namespace",
      near("orders", { namespaces: ["other"], namespaceSelector: {} }),
      "fits",
    ],
    ["near a neighbor in an unknown zone", near("orders", { topologyKey: "zone" }), refused],
    ["away from a neighbor", far("orders"), apart],
    ["away from an absent pod", far("users"), "fits"],
    ["away from a neighbor in an unknown zone", far("orders", { topologyKey: "zone" }), "fits"],
  ] as const) {
    test(`${title}: ${expected.split(";")[0] ?? ""}`, () => {
      assert.equal(fit(spec), expected);
    });
  }

  test("looks in the pod's own namespace, unless it names others", () => {
    const other = { ...self, namespace: "other" };
    assert.equal(fit(near("orders"), {}, other), refused);
    assert.equal(fit(far("orders"), {}, other), "fits");
  });

  test("without a label selector matches no pod", () => {
    const term = { topologyKey: "kubernetes.io/hostname" };
    const rules = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    assert.equal(fit({ affinity: { podAntiAffinity: rules } }), "fits");
  });
});

test("a selector of a claim or a service needs all of its labels and expressions", () => {
  const labels = { app: "orders", tier: "1" };
  const expression = (key: string, operator: string): JsonMembers => ({
    matchExpressions: [{ key, operator }],
  });
  for (const [selector, expected] of [
    [{}, true],
    [{ matchLabels: { app: "orders", tier: "1" } }, true],
    [{ matchLabels: { app: "orders", tier: "2" } }, false],
    [expression("app", "Exists"), true],
    [expression("app", "DoesNotExist"), false],
    [expression("zone", "DoesNotExist"), true],
    [expression("app", "Unknown"), false],
    [{ matchLabels: { app: "orders" }, ...expression("zone", "Exists") }, false],
  ] as const) {
    assert.equal(matchesNodeSelector(selector, labels), expected, JSON.stringify(selector));
  }
});

test("the event of a refused pod names each reason and whether preemption helps", () => {
  assert.equal(
    refusalMessage(["Insufficient cpu", "Too many pods"], true),
    "0/1 nodes are available: 1 Insufficient cpu, 1 Too many pods. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
  );
  assert.match(refusalMessage(["x"], false), /: 1 Preemption is not helpful for scheduling\.$/);
});
