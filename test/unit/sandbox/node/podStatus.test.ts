// The expected values are those of a real kubelet of Kubernetes 1.36.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldsOf, itemsOf, textAt } from "../../../../src/base/json.ts";
import type { KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import {
  phaseOf,
  podStatus,
  type ContainerHistory,
  type ContainerStatusState,
  type PodProgress,
} from "../../../../src/sandbox/node/pod/podStatus.ts";
import { decodePodSpec } from "../../../../src/sandbox/node/spec/podSpec.ts";

const waiting = { kind: "waiting", reason: "PodInitializing" } as const;
const running = { kind: "running", startedAt: "2026-01-02T03:04:06Z" } as const;
const ended = (exitCode: number): ContainerStatusState => ({
  ...{ kind: "terminated", exitCode, reason: exitCode === 0 ? "Completed" : "Error" },
  ...{ startedAt: "2026-01-02T03:04:06Z", finishedAt: "2026-01-02T03:04:09Z" },
  ...{ containerId: "sandbox://1", message: "last words" },
});

const podOf = (spec: unknown): KubeObject =>
  ({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "jobs", generation: 2 } },
    ...{ spec, status: { reason: "Old", message: "old", nominatedNodeName: "kept" } },
  }) as never;

interface Given {
  readonly main?: Partial<ContainerHistory>;
  readonly init?: readonly Partial<ContainerHistory>[];
  readonly fields?: Partial<PodProgress>;
  readonly restartPolicy?: string;
  readonly isSidecar?: boolean;
}

function progressOf({ main = {}, init = [], fields, restartPolicy, isSidecar }: Given) {
  const pod = podOf({
    ...{ restartPolicy: restartPolicy ?? "Never", volumes: [{ name: "data", emptyDir: {} }] },
    initContainers: init.map((_, index) => ({
      ...{ name: `init-${index}`, image: "i" },
      ...(isSidecar === true ? { restartPolicy: "Always" } : {}),
    })),
    containers: [
      {
        ...{ name: "main", image: "spark:4", resources: { requests: { cpu: "1" } } },
        volumeMounts: [
          { name: "data", mountPath: "/data", readOnly: true },
          { name: "absent", mountPath: "/absent" },
        ],
      },
    ],
  });
  const spec = decodePodSpec(pod);
  const history = (index: number, of: "containers" | "initContainers", own: object) => {
    const [container] = spec[of].slice(index);
    assert.ok(container);
    const standard = {
      ...{ spec: container, state: waiting, last: undefined, restartCount: 0, ready: false },
      ...{ started: false, imageId: "", containerId: "" },
    };
    return { ...standard, ...own };
  };
  const progress: PodProgress = {
    spec,
    initContainers: init.map((own, index) => history(index, "initContainers", own)),
    containers: [history(0, "containers", main)],
    ...{ startTime: "2026-01-02T03:04:05Z", hostAddress: "10.0.0.1", podAddress: "10.1.0.2" },
    ...{ end: undefined, isOver: false },
    ...fields,
  };
  return { pod, progress };
}

const statusOf = (given: Given) => {
  const { pod, progress } = progressOf(given);
  return fieldsOf(podStatus(pod, progress, Date.parse("2026-01-02T03:04:10Z")));
};
const conditionsOf = (given: Given): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    itemsOf(statusOf(given)["conditions"])
      .map(fieldsOf)
      .map((condition) => [
        textAt(condition, "type") ?? "",
        ["status", "reason", "message"].flatMap((name) => textAt(condition, name) ?? []).join(" "),
      ]),
  );

describe("the status of a pod", () => {
  test("has the addresses of the node and of the pod, and drops the earlier reason", () => {
    const status = statusOf({ main: { state: running, ready: true, started: true } });
    const listed = ["conditions", "containerStatuses"];
    const rest = Object.entries(status).filter(([name]) => !listed.includes(name));
    assert.deepEqual(Object.fromEntries(rest), {
      ...{ observedGeneration: 2, phase: "Running", qosClass: "Burstable" },
      ...{ hostIP: "10.0.0.1", hostIPs: [{ ip: "10.0.0.1" }] },
      ...{ podIP: "10.1.0.2", podIPs: [{ ip: "10.1.0.2" }] },
      ...{ startTime: "2026-01-02T03:04:05Z", nominatedNodeName: "kept" },
    });
    const without = statusOf({ fields: { podAddress: undefined } });
    assert.ok(!("podIP" in without) && !("podIPs" in without));
  });

  test("has the reason and the message of the node that stopped it", () => {
    const end = { reason: "Evicted", message: "no space" };
    const status = statusOf({ main: { state: ended(137) }, fields: { end, isOver: true } });
    assert.deepEqual(
      [status["phase"], status["reason"], status["message"]],
      ["Failed", "Evicted", "no space"],
    );
  });

  test("describes each container, with the volumes that the pod has", () => {
    const [container] = itemsOf(
      statusOf({
        main: {
          ...{ state: ended(1), last: { ...ended(2), message: undefined } as never, ready: true },
          ...{ restartCount: 3, started: true, imageId: "image", containerId: "sandbox://1" },
        },
      })["containerStatuses"],
    );
    const times = { startedAt: "2026-01-02T03:04:06Z", finishedAt: "2026-01-02T03:04:09Z" };
    const terminated = { reason: "Error", ...times, containerID: "sandbox://1" };
    assert.deepEqual(container, {
      ...{ name: "main", ready: true, restartCount: 3, image: "spark:4", imageID: "image" },
      state: { terminated: { exitCode: 1, message: "last words", ...terminated } },
      lastState: { terminated: { exitCode: 2, ...terminated } },
      ...{ containerID: "sandbox://1", started: true, resources: { requests: { cpu: "1" } } },
      volumeMounts: [
        { name: "data", mountPath: "/data", readOnly: true, recursiveReadOnly: "Disabled" },
      ],
    });
    const [unstarted] = itemsOf(statusOf({})["containerStatuses"]).map(fieldsOf);
    assert.ok(unstarted && !("containerID" in unstarted) && !("resources" in unstarted));
    assert.deepEqual(unstarted["state"], { waiting: { reason: "PodInitializing" } });
    assert.deepEqual(unstarted["lastState"], {});
    assert.ok(!("initContainerStatuses" in statusOf({})));
    assert.equal(itemsOf(statusOf({ init: [{}] })["initContainerStatuses"]).length, 1);
  });

  test("has a phase for each combination of its containers", () => {
    const over = { isOver: true };
    const end = { reason: "DeadlineExceeded", message: "" };
    const rows: readonly (readonly [Given, string])[] = [
      [{}, "Pending"],
      [{ main: { state: running } }, "Running"],
      [{ main: { state: waiting, last: ended(1) as never } }, "Running"],
      [{ main: { state: ended(0) } }, "Running"],
      [{ main: { state: ended(0) }, fields: over }, "Succeeded"],
      [{ main: { state: ended(3) }, fields: over }, "Failed"],
      [{ main: { state: ended(0) }, fields: over, restartPolicy: "Always" }, "Succeeded"],
      [{ main: { state: ended(0) }, fields: { ...over, end } }, "Failed"],
      [{ main: { state: running }, fields: { end } }, "Running"],
      [{ main: { state: waiting }, fields: over }, "Failed"],
      [{ init: [{ state: running }] }, "Pending"],
      [{ init: [{ state: ended(0) }] }, "Pending"],
      [{ init: [{ state: ended(1) }], fields: over }, "Failed"],
      [{ init: [{ state: ended(1) }] }, "Pending"],
      [{ init: [{ state: running, started: true }], isSidecar: true }, "Pending"],
      [
        {
          ...{ init: [{ state: ended(1) }], isSidecar: true },
          ...{ main: { state: ended(0) }, fields: over },
        },
        "Succeeded",
      ],
    ];
    for (const [given, phase] of rows) {
      assert.equal(phaseOf(progressOf(given).progress), phase, JSON.stringify(given));
    }
  });

  test("has the conditions that the states of its containers lead to", () => {
    const scheduled = { PodScheduled: "True" };
    const unready = "False ContainersNotReady containers with unready status: [main]";
    assert.deepEqual(conditionsOf({ main: { state: running, ready: true } }), {
      ...{ PodReadyToStartContainers: "True", Initialized: "True", Ready: "True" },
      ...{ ContainersReady: "True", ...scheduled },
    });
    assert.deepEqual(
      conditionsOf({ init: [{}, { state: ended(0) }], fields: { podAddress: undefined } }),
      {
        PodReadyToStartContainers: "False",
        Initialized: "False ContainersNotInitialized containers with incomplete status: [init-0]",
        ...{ Ready: unready, ContainersReady: unready, ...scheduled },
      },
    );
    for (const [exitCode, reason] of [
      [0, "PodCompleted"],
      [1, "PodFailed"],
    ] as const) {
      const ending = { main: { state: ended(exitCode) }, fields: { isOver: true } };
      assert.deepEqual(conditionsOf(ending), {
        PodReadyToStartContainers: "False",
        Initialized: exitCode === 0 ? "True PodCompleted" : "True",
        ...{ Ready: `False ${reason}`, ContainersReady: `False ${reason}`, ...scheduled },
      });
    }
    const sidecar = { init: [{ state: running, started: false }], isSidecar: true };
    assert.match(String(conditionsOf(sidecar)["Initialized"]), /^False/);
    const begun = { init: [{ state: running, started: true }], isSidecar: true };
    assert.equal(conditionsOf(begun)["Initialized"], "True");
  });
});
