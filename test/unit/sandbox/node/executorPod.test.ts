import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { executorPod } from "../../../../src/sandbox/node/simulation/executorPod.ts";
import { decodePodSpec } from "../../../../src/sandbox/node/spec/podSpec.ts";
import { fieldsOf } from "../../../../src/base/json.ts";

const driver = (labels: JsonMembers): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "pi-driver", namespace: "dev", uid: "u", labels },
});

const podOf = (labels: JsonMembers, conf: Readonly<Record<string, string>> = {}): KubeObject =>
  executorPod({
    driver: driver(labels),
    id: 2,
    image: "apache/spark:4.3.0",
    sparkVersion: "4.3.0",
    conf: new Map(Object.entries(conf)),
    memory: undefined,
  });

describe("a simulated executor pod", () => {
  test("has the application's name and id, or those of its driver", () => {
    const labels = { "spark-app-selector": "spark-1", "spark-app-name": "etl" };
    const named = podOf(labels).metadata;
    assert.equal(named.name, "pi-exec-2");
    assert.equal(named.labels?.["spark-app-name"], "etl");
    assert.equal(named.labels["spark-app-selector"], "spark-1");
    const unnamed = podOf({}).metadata.labels;
    assert.equal(unnamed?.["spark-app-name"], "pi-driver");
    assert.equal(unnamed["spark-app-selector"], "spark-simulation");
  });

  test("requests the heap plus the default overhead", () => {
    const memoryOf = (conf: Readonly<Record<string, string>>): unknown =>
      decodePodSpec(podOf({}, conf)).containers[0]?.requests["memory"];
    assert.equal(memoryOf({}), "1408Mi");
    assert.equal(memoryOf({ "spark.executor.memory": "8g" }), "9011Mi");
  });
});

test("a pod spec has the defaults of Kubernetes for missing fields", () => {
  const pod = podOf({});
  const spec = (members: JsonMembers) =>
    decodePodSpec({ ...pod, spec: { ...fieldsOf(pod["spec"]), ...members } as JsonMembers });
  assert.equal(spec({ serviceAccountName: undefined }).serviceAccountName, "default");
  assert.equal(spec({ serviceAccountName: "spark" }).serviceAccountName, "spark");
});
