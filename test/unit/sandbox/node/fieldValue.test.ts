import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Fields } from "../../../../src/base/json.ts";
import type { KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import {
  podFieldValue,
  resourceValue,
  type PodFacts,
} from "../../../../src/sandbox/node/env/fieldValue.ts";
import { decodePodSpec } from "../../../../src/sandbox/node/spec/podSpec.ts";

const containerOf = (name: string, requests: Fields, limits: Fields) => ({
  ...{ name, image: "i", resources: { requests, limits } },
});
const pod = {
  ...{ apiVersion: "v1", kind: "Pod" },
  metadata: {
    ...{ name: "etl", namespace: "jobs", uid: "u-1" },
    labels: { team: "etl", "a/b": 'x"y' },
    annotations: { note: "n" },
  },
  spec: {
    ...{ nodeName: "node-1", serviceAccountName: "spark" },
    containers: [
      containerOf("main", { cpu: "250m", memory: "1Gi" }, { cpu: "1500m" }),
      containerOf("side", {}, { memory: "64Mi" }),
    ],
    initContainers: [containerOf("init", { cpu: "3" }, {})],
  },
} as unknown as KubeObject;
const spec = decodePodSpec(pod);
const facts: PodFacts = {
  ...{ pod, spec, podAddress: "10.0.0.2", hostAddress: "10.0.0.1" },
  allocatable: { cpu: 8, memory: 2 ** 33 },
};

describe("a reference to a field of the pod", () => {
  const valueAt = (fieldPath: string, of = facts) => podFieldValue({ fieldPath }, of);

  test("has the value of the field", () => {
    const rows = {
      ...{ "metadata.name": "etl", "metadata.namespace": "jobs", "metadata.uid": "u-1" },
      ...{ "metadata.labels": 'a/b="x\\"y"\nteam="etl"', "metadata.annotations": 'note="n"' },
      ...{ "metadata.labels['team']": "etl", "metadata.annotations['note']": "n" },
      ...{ "metadata.labels['none']": "", "metadata.labels['a/b']": 'x"y' },
      ...{ "spec.nodeName": "node-1", "spec.serviceAccountName": "spark" },
      ...{ "status.hostIP": "10.0.0.1", "status.hostIPs": "10.0.0.1" },
      ...{ "status.podIP": "10.0.0.2", "status.podIPs": "10.0.0.2" },
    };
    for (const [path, expected] of Object.entries(rows))
      assert.equal(valueAt(path), expected, path);
  });

  test("is empty for an absent value, and undefined for another field", () => {
    const bare = { ...pod, metadata: { name: "bare" } } as KubeObject;
    const ofBare = { ...facts, pod: bare, spec: { ...spec, nodeName: undefined } };
    for (const path of ["metadata.namespace", "metadata.uid", "spec.nodeName", "metadata.labels"]) {
      assert.equal(valueAt(path, ofBare), "", path);
    }
    for (const path of ["spec.hostname", "metadata", "metadata.labels[team]", ""]) {
      assert.equal(valueAt(path), undefined, path);
    }
    assert.equal(podFieldValue({}, facts), undefined);
  });
});

describe("a reference to a resource of a container", () => {
  const [main] = spec.containers;
  const valueOf = (resource: string, more: Fields = {}) =>
    resourceValue({ resource, ...more }, main, facts);

  test("is rounded up to the divisor", () => {
    assert.equal(valueOf("limits.cpu"), "2");
    assert.equal(valueOf("limits.cpu", { divisor: "1m" }), "1500");
    assert.equal(valueOf("requests.cpu"), "1");
    assert.equal(valueOf("requests.memory", { divisor: "1Mi" }), "1024");
    assert.equal(valueOf("requests.memory", { divisor: 2 ** 20 }), "1024");
    for (const divisor of ["0", 0, "no quantity", undefined]) {
      assert.equal(valueOf("limits.cpu", { divisor }), "2");
    }
  });

  test("is the node's for a missing limit, and 0 for a missing request", () => {
    assert.equal(valueOf("limits.memory"), String(2 ** 33));
    assert.equal(valueOf("limits.gpu"), "0");
    assert.equal(valueOf("requests.gpu"), "0");
  });

  test("is that of the named container", () => {
    assert.equal(valueOf("limits.memory", { containerName: "side", divisor: "1Mi" }), "64");
    assert.equal(valueOf("requests.cpu", { containerName: "init" }), "3");
    assert.equal(valueOf("limits.cpu", { containerName: "" }), "2");
    assert.equal(valueOf("limits.cpu", { containerName: "none" }), undefined);
    assert.equal(resourceValue({ resource: "limits.cpu" }, undefined, facts), undefined);
    for (const resource of ["cpu", "limits.", "other.cpu"]) {
      assert.equal(valueOf(resource), undefined);
    }
  });
});
