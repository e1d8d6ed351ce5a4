import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  decodeLimitRanges,
  decodeNode,
  decodeQuota,
  itemNames,
} from "../../../../src/engine/submit/preflightObjects.ts";

const stored = (body: object) => ({
  ...{ apiVersion: "v1", kind: "X", name: "a", namespace: "jobs", uid: "u", resourceVersion: "1" },
  body,
});

describe("an object of the preflight", () => {
  test("quota has the amounts of its status, or of its spec while it is new", () => {
    const spec = { hard: { cpu: 1, pods: "2", wrong: true }, scopes: ["NotTerminating", 7] };
    const expected = { name: "a", used: {}, scopes: ["NotTerminating"], isSelective: false };
    assert.deepEqual(decodeQuota(stored({ spec })), {
      ...expected,
      hard: { cpu: "1", pods: "2" },
    });
    const status = { hard: { cpu: "3" }, used: { cpu: "500m" } };
    assert.deepEqual(decodeQuota(stored({ spec: { ...spec, scopeSelector: {} }, status })), {
      ...{ ...expected, isSelective: true },
      ...{ hard: { cpu: "3" }, used: { cpu: "500m" } },
    });
  });

  test("limit range has the limits of containers and pods only", () => {
    const limits = [
      { type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "2" } },
      { type: "Pod", max: { cpu: "3" }, min: { cpu: "4" } },
      { type: "PersistentVolumeClaim", max: { storage: "1Gi" } },
    ];
    const none = { name: "a", max: {}, min: {}, defaultLimit: {}, defaultRequest: {} };
    assert.deepEqual(decodeLimitRanges(stored({ spec: { limits } })), [
      {
        ...none,
        ...{ type: "Container", defaultLimit: { cpu: "1" }, defaultRequest: { cpu: "2" } },
      },
      { ...none, ...{ type: "Pod", max: { cpu: "3" }, min: { cpu: "4" } } },
    ]);
    assert.deepEqual(decodeLimitRanges(stored({})), []);
  });

  test("node is ready only by its condition", () => {
    const isReady = (...conditions: object[]): boolean =>
      decodeNode(stored({ status: { conditions } })).isReady;
    const disk = { type: "DiskPressure", status: "True" };
    assert.equal(isReady(disk, { type: "Ready", status: "True" }), true);
    assert.equal(isReady(disk, { type: "Ready", status: "Unknown" }), false);
    assert.equal(isReady(disk), false);
  });

  test("node has labels, amounts and taints", () => {
    const { labels, allocatable, taints } = decodeNode(
      stored({
        metadata: { labels: { zone: "a" } },
        status: { allocatable: { cpu: "4" } },
        spec: { taints: [{ key: "k", value: "v", effect: "NoSchedule" }, { key: "only" }] },
      }),
    );
    assert.deepEqual([labels, allocatable], [{ zone: "a" }, { cpu: "4" }]);
    assert.deepEqual(taints, [
      { key: "k", value: "v", effect: "NoSchedule" },
      { key: "only", value: "", effect: "" },
    ]);
  });

  test("secret has the keys of text and of binary data", () => {
    assert.deepEqual(
      [...itemNames(stored({ data: { a: "" }, binaryData: { b: "" } }))],
      ["a", "b"],
    );
    assert.deepEqual([...itemNames(stored({}))], []);
  });
});
