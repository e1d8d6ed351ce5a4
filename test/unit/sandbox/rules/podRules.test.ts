import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { podProblems, podUpdateProblems } from "../../../../src/sandbox/rules/podRules.ts";

const main = { name: "main", image: "spark:4", imagePullPolicy: "Always" };
const problems = (spec: JsonMembers): readonly string[] =>
  podProblems({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "a" } },
    spec: { restartPolicy: "Never", containers: [main], ...spec },
  }).map(({ reason, field }) => `${reason.replace("FieldValue", "")} ${field}`);
const container = (more: JsonMembers): readonly string[] =>
  problems({ containers: [{ ...main, ...more }] });

describe("a new pod", () => {
  test("is accepted with valid containers, volumes and mounts", () => {
    assert.deepEqual(
      problems({
        volumes: [
          { name: "data", emptyDir: {} },
          { name: "etc", hostPath: { path: "/etc" } },
        ],
        initContainers: [{ ...main, name: "init" }],
        containers: [
          {
            ...main,
            ports: [{ containerPort: 1 }, { containerPort: 65_535 }],
            env: [{ name: "A" }],
            volumeMounts: [{ name: "data", mountPath: "/d", subPath: "a..b/c" }],
            resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "1" } },
          },
        ],
        activeDeadlineSeconds: 1,
      }),
      [],
    );
    for (const restartPolicy of ["Always", "OnFailure", "Never"]) {
      assert.deepEqual(problems({ restartPolicy }), []);
    }
  });

  test("needs containers, a restart policy and a valid deadline", () => {
    assert.deepEqual(problems({ containers: [] }), ["Required spec.containers"]);
    assert.deepEqual(problems({ restartPolicy: "Sometimes" }), ["NotSupported spec.restartPolicy"]);
    const deadline = (activeDeadlineSeconds: number) => problems({ activeDeadlineSeconds });
    assert.deepEqual(deadline(2 ** 31 - 1), []);
    for (const seconds of [0, -1, 2 ** 31]) {
      assert.deepEqual(deadline(seconds), ["Invalid spec.activeDeadlineSeconds"]);
    }
    assert.deepEqual(problems({ nodeSelector: { a: "b c" } }).length, 1);
  });

  test("needs valid and unique names of volumes", () => {
    const volumes = [
      { name: "a" },
      {},
      { name: "A_B" },
      { name: "a" },
      { name: "h", hostPath: {} },
    ];
    assert.deepEqual(problems({ volumes }), [
      "Required spec.volumes[1].name",
      "Invalid spec.volumes[2].name",
      "Duplicate spec.volumes[3].name",
      "Required spec.volumes[4].hostPath.path",
    ]);
  });

  test("needs a name, an image and a pull policy for each container", () => {
    const at = "spec.containers[0]";
    assert.deepEqual(container({ name: "" }), [`Required ${at}.name`]);
    assert.deepEqual(container({ name: "A" }), [`Invalid ${at}.name`]);
    assert.deepEqual(container({ image: "" }), [`Required ${at}.image`]);
    assert.deepEqual(container({ image: " a" }), [`Invalid ${at}.image`]);
    assert.deepEqual(container({ imagePullPolicy: "x" }), [`NotSupported ${at}.imagePullPolicy`]);
    for (const imagePullPolicy of ["IfNotPresent", "Never"]) {
      assert.deepEqual(container({ imagePullPolicy }), []);
    }
    assert.deepEqual(container({ env: [{ name: "A" }, {}, { name: "" }] }), [
      `Required ${at}.env[1].name`,
      `Required ${at}.env[2].name`,
    ]);
  });

  test("needs unique names of containers and init containers", () => {
    const init = { ...main, name: "init" };
    assert.deepEqual(problems({ containers: [main, main], initContainers: [init, init, main] }), [
      "Duplicate spec.containers[1].name",
      "Duplicate spec.initContainers[1].name",
      "Duplicate spec.initContainers[2].name",
    ]);
    assert.deepEqual(problems({ initContainers: [{ ...init, image: "" }] }), [
      "Required spec.initContainers[0].image",
    ]);
  });

  test("needs ports from 1 to 65535", () => {
    const at = "spec.containers[0].ports[0].containerPort";
    for (const port of [{}, { containerPort: 0 }]) {
      assert.deepEqual(container({ ports: [port] }), [`Required ${at}`]);
    }
    for (const containerPort of [-1, 65_536]) {
      assert.deepEqual(container({ ports: [{ containerPort }] }), [`Invalid ${at}`]);
    }
  });

  test("needs mounts of its volumes, below them", () => {
    const mounts = (...volumeMounts: readonly JsonMembers[]) =>
      problems({ volumes: [{ name: "v" }], containers: [{ ...main, volumeMounts }] });
    const at = "spec.containers[0].volumeMounts";
    assert.deepEqual(mounts({ name: "w", mountPath: "/w" }), [`NotFound ${at}[0].name`]);
    assert.deepEqual(mounts({ mountPath: "/w" }), [
      `Required ${at}[0].name`,
      `NotFound ${at}[0].name`,
    ]);
    assert.deepEqual(mounts({ name: "v" }, { name: "v", mountPath: "" }), [
      `Required ${at}[0].mountPath`,
      `Required ${at}[1].mountPath`,
    ]);
    assert.deepEqual(mounts({ name: "v", mountPath: "/v", subPath: "a/../b" }), [
      `Invalid ${at}.subPath`,
    ]);
  });

  test("requests at most its limits", () => {
    const resources = (requests: JsonMembers, limits: JsonMembers) =>
      container({ resources: { requests, limits } });
    assert.deepEqual(resources({ cpu: "1000m" }, { cpu: 1, memory: "1Gi" }), []);
    assert.deepEqual(resources({ cpu: "1001m", memory: "1" }, { cpu: "1" }), [
      "Invalid spec.containers[0].resources.requests",
    ]);
  });
});

describe("an update of a pod", () => {
  const spec = { containers: [main], hostname: "a", tolerations: [] };
  const fields = (after: JsonMembers): readonly string[] =>
    podUpdateProblems(spec, { ...spec, ...after }).map(({ field }) => field);

  test("may change images, tolerations, the deadline and the grace period", () => {
    assert.deepEqual(
      fields({
        ...{ containers: [{ ...main, image: "spark:5" }], tolerations: [{ key: "a" }] },
        ...{ activeDeadlineSeconds: 5, terminationGracePeriodSeconds: 1, schedulingGates: [] },
      }),
      [],
    );
    const withInit = { ...spec, initContainers: [main] };
    const changed = { ...spec, initContainers: [{ ...main, image: "b" }] };
    assert.deepEqual(podUpdateProblems(withInit, changed), []);
  });

  test("may change nothing else", () => {
    assert.deepEqual(fields({ hostname: "b" }), ["spec"]);
    assert.deepEqual(fields({ containers: [{ ...main, command: ["x"] }] }), ["spec"]);
    assert.deepEqual(fields({ initContainers: [main] }), ["spec"]);
    assert.deepEqual(fields({ containers: [main, main] }), ["spec.containers"]);
    assert.deepEqual(fields({ containers: [] }), ["spec.containers"]);
  });

  test("may have its members in another order", () => {
    const { name, image, imagePullPolicy } = main;
    const reordered = { hostname: "a", containers: [{ imagePullPolicy, image, name }] };
    assert.deepEqual(podUpdateProblems({ ...reordered, containers: [main] }, reordered), []);
  });
});
