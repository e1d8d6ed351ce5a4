import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Fields } from "../../../../src/base/json.ts";
import { decodePodSpec } from "../../../../src/sandbox/node/spec/podSpec.ts";

const decode = (spec: unknown) =>
  decodePodSpec({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "jobs" } },
    ...{ spec },
  } as never);
const containerOf = (container: Fields) => decode({ containers: [container] }).containers[0];

describe("the spec of a pod", () => {
  test("has the defaults of Kubernetes", () => {
    const expected = {
      ...{ containers: [], initContainers: [], volumes: [], restartPolicy: "Always" },
      ...{ nodeName: undefined, schedulerName: "default-scheduler" },
      ...{ serviceAccountName: "default", graceSeconds: 30, deadlineSeconds: undefined },
      ...{ priority: 0, mayPreempt: true, isGated: false, hostname: undefined },
      ...{ nodeSelector: {}, affinity: {}, overhead: {} },
    };
    assert.deepEqual(decode({}), expected);
    assert.deepEqual(decode(undefined), expected);
  });

  test("has the values that are given", () => {
    const spec = decode({
      ...{ restartPolicy: "OnFailure", nodeName: "n", schedulerName: "s", serviceAccountName: "x" },
      ...{ terminationGracePeriodSeconds: 0, activeDeadlineSeconds: 7, priority: 5, hostname: "h" },
      ...{ preemptionPolicy: "Never", schedulingGates: [{ name: "g" }] },
      nodeSelector: { a: "b" },
      overhead: { cpu: "1", memory: 2, other: null },
      affinity: { nodeAffinity: {} },
      volumes: [{ name: "v", emptyDir: { medium: "Memory" } }, {}],
      initContainers: [{ name: "side", restartPolicy: "Always" }, { name: "one" }],
    });
    assert.deepEqual(
      {
        ...spec,
        initContainers: spec.initContainers.map(({ name, isSidecar }) => [name, isSidecar]),
      },
      {
        ...{ containers: [], restartPolicy: "OnFailure", nodeName: "n", schedulerName: "s" },
        ...{ serviceAccountName: "x", graceSeconds: 0, deadlineSeconds: 7, priority: 5 },
        ...{ hostname: "h", mayPreempt: false, isGated: true, nodeSelector: { a: "b" } },
        ...{ overhead: { cpu: "1", memory: "2" }, affinity: { nodeAffinity: {} } },
        volumes: [
          { name: "v", source: { emptyDir: { medium: "Memory" } } },
          { name: "", source: {} },
        ],
        initContainers: [
          ["side", true],
          ["one", false],
        ],
      },
    );
    assert.equal(decode({ restartPolicy: "Never" }).restartPolicy, "Never");
    assert.equal(decode({ restartPolicy: "other" }).restartPolicy, "Always");
  });
});

describe("the spec of a container", () => {
  test("has the defaults of Kubernetes", () => {
    assert.deepEqual(containerOf({}), {
      ...{ name: "", image: "", pullPolicy: "IfNotPresent", command: undefined, args: [] },
      ...{ stdin: false, tty: false, workingDirectory: undefined, env: [], envFrom: [] },
      ...{ requests: {}, limits: {}, mounts: [], preStop: undefined, isSidecar: false },
      ...{ terminationMessagePath: "/dev/termination-log", logTellsEnd: false },
      probes: { startup: undefined, readiness: undefined, liveness: undefined },
    });
  });

  test("has the values that are given", () => {
    assert.deepEqual(
      containerOf({
        ...{ name: "main", image: "i", imagePullPolicy: "Never", command: ["a"], args: ["b", 1] },
        ...{ stdin: true, tty: true, workingDir: "/w", terminationMessagePath: "/t" },
        terminationMessagePolicy: "FallbackToLogsOnError",
        env: [{ name: "A", value: "1" }, { name: "B", valueFrom: { fieldRef: {} } }, {}],
        envFrom: [
          { prefix: "P_", configMapRef: { name: "c" } },
          { secretRef: { name: "s", optional: true } },
          { secretRef: null },
          {},
        ],
        resources: { limits: { cpu: 2, memory: "1Gi" }, requests: { cpu: "500m" } },
        volumeMounts: [
          { name: "v", mountPath: "/m", subPath: "x", subPathExpr: "$(A)", readOnly: true },
          {},
        ],
        lifecycle: { preStop: { exec: {} } },
        ...{ startupProbe: { a: 1 }, readinessProbe: { b: 1 }, livenessProbe: { c: 1 } },
      }),
      {
        ...{ name: "main", image: "i", pullPolicy: "Never", command: ["a"], args: ["b", "1"] },
        ...{ stdin: true, tty: true, workingDirectory: "/w", terminationMessagePath: "/t" },
        logTellsEnd: true,
        env: [
          { name: "A", value: "1", from: undefined },
          { name: "B", value: "", from: { fieldRef: {} } },
          { name: "", value: "", from: undefined },
        ],
        envFrom: [
          { prefix: "P_", kind: "configMap", name: "c", optional: false },
          { prefix: "", kind: "secret", name: "s", optional: true },
        ],
        // A limit without a request is also the request.
        requests: { cpu: "500m", memory: "1Gi" },
        limits: { cpu: "2", memory: "1Gi" },
        mounts: [
          { volume: "v", path: "/m", subPath: "x", subPathExpr: "$(A)", readOnly: true },
          { volume: "", path: "", subPath: "", subPathExpr: "", readOnly: false },
        ],
        ...{ preStop: { exec: {} }, isSidecar: false },
        probes: { startup: { a: 1 }, readiness: { b: 1 }, liveness: { c: 1 } },
      },
    );
    assert.equal(containerOf({ imagePullPolicy: "Always" })?.pullPolicy, "Always");
  });
});
