import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sharedValues } from "../../../src/spark/pods/sharedValues.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import { decodePod } from "../../../src/spark/pods/decodePod.ts";
import { describeState } from "../../../src/spark/pods/describeState.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { sparkState, sparkStateRules } from "../../../src/spark/pods/executorState.ts";
import { inEnglish } from "../../../src/base/message.ts";

const complete = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "pi-exec-1",
    namespace: "jobs",
    uid: "uid-1",
    resourceVersion: "12",
    creationTimestamp: "2026-01-02T03:04:05Z",
    deletionTimestamp: "2026-01-02T04:04:05Z",
    labels: { "spark-role": "executor" },
    ownerReferences: [
      { kind: "Other", name: "o", uid: "uid-other" },
      { kind: "Pod", name: "pi-driver", uid: "uid-driver", controller: true },
    ],
    managedFields: [{ manager: "kubelet" }],
  },
  spec: {
    nodeName: "node-1",
    schedulerName: "queue",
    restartPolicy: "Never",
    containers: [
      {
        name: "main",
        image: "spark:4.3.0",
        args: ["executor", "more"],
        env: [{ name: "A" }, { name: "SPARK_USER", value: "ann" }],
        resources: { requests: { cpu: "1", memory: "1408Mi" }, limits: { memory: "1408Mi" } },
      },
      { name: "proxy", image: "proxy:1" },
    ],
    initContainers: [{ name: "init", image: "init:1" }],
  },
  status: {
    phase: "Running",
    reason: "r",
    message: "m",
    podIP: "10.0.0.1",
    startTime: "2026-01-02T03:04:06Z",
    nominatedNodeName: "node-2",
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-02T03:04:06Z" }],
    containerStatuses: [
      { name: "stray", image: "stray:1", state: { waiting: { reason: "ContainerCreating" } } },
      {
        name: "main",
        image: "sha256:0",
        ready: true,
        restartCount: 2,
        state: { running: { startedAt: "2026-01-02T03:04:07Z" } },
        lastState: { terminated: { exitCode: 137, signal: 9, reason: "OOMKilled" } },
      },
    ],
    initContainerStatuses: [{ name: "init", state: { terminated: { exitCode: 0 } } }],
  },
};

test("decodes exactly the known fields of a pod", () => {
  assert.deepEqual(decodePod(complete), {
    uid: "uid-1",
    name: "pi-exec-1",
    namespace: "jobs",
    resourceVersion: "12",
    creationTimestamp: "2026-01-02T03:04:05Z",
    deletionTimestamp: "2026-01-02T04:04:05Z",
    labels: { "spark-role": "executor" },
    ownerUid: "uid-driver",
    ownerPod: "pi-driver",
    nodeName: "node-1",
    nominatedNodeName: "node-2",
    schedulerName: "queue",
    restartPolicy: "Never",
    phase: "Running",
    reason: "r",
    message: "m",
    podIp: "10.0.0.1",
    startTime: "2026-01-02T03:04:06Z",
    sparkUser: "ann",
    driving: undefined,
    conditions: [{ type: "Ready", status: "True", reason: undefined, message: undefined }],
    containers: [
      {
        name: "main",
        image: "spark:4.3.0",
        firstArgument: "executor",
        requests: { cpu: "1", memory: "1408Mi" },
        memoryLimit: "1408Mi",
        ready: true,
        restartCount: 2,
        state: { kind: "running", startedAt: "2026-01-02T03:04:07Z" },
        lastState: { kind: "terminated", ...ended(137), signal: 9, reason: "OOMKilled" },
      },
      {
        name: "proxy",
        image: "proxy:1",
        firstArgument: undefined,
        requests: undefined,
        memoryLimit: undefined,
        ready: false,
        restartCount: 0,
        state: undefined,
        lastState: undefined,
      },
      {
        name: "stray",
        image: "stray:1",
        firstArgument: undefined,
        requests: undefined,
        memoryLimit: undefined,
        ready: false,
        restartCount: 0,
        state: { kind: "waiting", reason: "ContainerCreating", message: undefined },
        lastState: undefined,
      },
    ],
    initContainers: [
      {
        name: "init",
        image: "init:1",
        firstArgument: undefined,
        requests: undefined,
        memoryLimit: undefined,
        ready: false,
        restartCount: 0,
        state: { kind: "terminated", ...ended(0) },
        lastState: undefined,
      },
    ],
  });
});

function ended(exitCode: number) {
  const none = undefined;
  return { exitCode, signal: none, reason: none, message: none, startedAt: none, finishedAt: none };
}

test("decodes main class, UI port and exit exception of a driver", () => {
  const driver = {
    metadata: {
      uid: "u",
      name: "pi-driver",
      labels: { "spark-role": "driver" },
      annotations: { "spark.exit-exception": "java.lang.Error: no" },
    },
    spec: {
      schedulerName: "default-scheduler",
      containers: [
        {
          args: [
            "driver",
            "--properties-file",
            "p",
            "--class",
            "org.example.Main",
            "local:///a.jar",
          ],
          ports: [
            { name: "driver-rpc-port", containerPort: 7078 },
            { name: "spark-ui", containerPort: 4050 },
          ],
        },
      ],
    },
  };
  const decoded = decodePod(driver);
  assert.deepEqual(decoded?.driving, {
    mainClass: "org.example.Main",
    uiPort: 4050,
    exitException: "java.lang.Error: no",
  });
  assert.equal(decoded.schedulerName, undefined);
});

test("decodes the node selector of a pod without a node only", () => {
  const pod = (spec: object): unknown => ({ metadata: { uid: "u", name: "pi" }, spec });
  const nodeSelector = { disk: "ssd" };
  assert.deepEqual(decodePod(pod({ nodeSelector }))?.nodeSelector, nodeSelector);
  assert.equal(decodePod(pod({ nodeSelector, nodeName: "n" }))?.nodeSelector, undefined);
});

test("rejects names and namespaces that no API server accepts", () => {
  const pod = (name: string, namespace = "jobs"): unknown => ({
    metadata: { uid: "u", name, namespace },
  });
  assert.ok(decodePod(pod("etl.daily-1f-driver")));
  const hostile = [
    "//x",
    "../x",
    "a;rm -rf ~",
    "a\nb",
    "$(id)",
    "a\u202eb",
    "A",
    "-a",
    "a".repeat(254),
  ];
  for (const name of hostile) {
    assert.equal(decodePod(pod(name)), undefined, name);
    assert.equal(decodePod(pod("driver", name)), undefined, name);
  }
});

test("rejects JSON without uid or name", () => {
  for (const json of [undefined, null, 1, "pod", [], {}, { metadata: { name: "p" } }]) {
    assert.equal(decodePod(json), undefined);
  }
});

test("a label may have any name", () => {
  const json: unknown = JSON.parse(
    '{"metadata":{"uid":"u","name":"n","labels":{"__proto__":"x","constructor":"y","n":1}}}',
  );
  const labels = decodePod(json)?.labels ?? {};
  assert.deepEqual(Object.entries(labels), [
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});

// Replaces random parts of a valid pod. This finds decoder failures that arbitrary JSON does not reach.
const mutated = fc
  .tuple(fc.nat(), fc.oneof(fc.jsonValue(), fc.constantFrom([null], [{}], { running: 1 }, "Never")))
  .map(([choice, piece]) => {
    let left = choice % 60;
    return JSON.parse(JSON.stringify(complete), (_, value: unknown) => {
      left -= 1;
      return left === 0 ? piece : value;
    }) as unknown;
  });

test("shares equal values between pods, and decodes the same result", () => {
  const alike = sharedValues();
  const read = (id: number): PodRecord => {
    const pod = structuredClone(complete);
    Object.assign(pod.metadata, { uid: `uid-${id}`, labels: { "spark-exec-id": String(id) } });
    const decoded = decodePod(pod, alike);
    assert.ok(decoded);
    return decoded;
  };
  const [one, other] = [read(1), read(2)];
  assert.deepEqual([one.uid, other.uid], ["uid-1", "uid-2"]);
  assert.deepEqual(other.labels, { "spark-exec-id": "2" });
  assert.equal(one.containers, other.containers);
  assert.equal(one.conditions, other.conditions);
  fc.assert(
    fc.property(mutated, (json) => {
      assert.deepEqual(decodePod(json, alike), decodePod(json));
    }),
    { numRuns: 500 },
  );
});

test("no JSON makes decoding or describing throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), mutated), (json) => {
      const pod = decodePod(json);
      if (pod === undefined) return;
      assert.equal(typeof pod.uid, "string");
      assert.notEqual(inEnglish(describeState(displayState(pod))), "");
      sparkState(pod, sparkStateRules);
    }),
    { numRuns: 500 },
  );
});
