import assert from "node:assert/strict";
import { test } from "node:test";
import { describeState } from "../../../src/spark/pods/describeState.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import type { ContainerState, PodCondition, PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { containerFixture, driverFixture, endedFixture, podFixture } from "./podFixture.ts";
import { checkTranslated, inPseudoLanguage } from "../../pseudoLanguage.ts";
import { inEnglish } from "../../../src/base/message.ts";

const check = (sentence: string, pod: PodRecord, expected: string): void => {
  test(`${sentence}: ${expected}`, () => {
    assert.equal(inEnglish(describeState(displayState(pod))), expected);
    checkTranslated(describeState(displayState(pod)));
  });
};

const waiting = (reason: string): ContainerState => ({
  kind: "waiting",
  reason,
  message: undefined,
});

const condition = (type: string, status: string, reason?: string): PodCondition => ({
  type,
  status,
  reason,
  message: undefined,
});

const deletionTimestamp = "2026-01-02T03:05:05Z";
const pending = { phase: "Pending", containers: [containerFixture({ state: undefined })] };
const sidecar = { name: "proxy", firstArgument: undefined };
const killed = endedFixture(137, {
  state: {
    kind: "terminated",
    exitCode: 137,
    signal: undefined,
    reason: "OOMKilled",
    message: undefined,
    startedAt: undefined,
    finishedAt: undefined,
  },
});

// From creation to termination.
check("a pod without a status", podFixture({ phase: undefined, containers: [] }), "requested");
check(
  "a pod without a node",
  podFixture({ ...pending, nodeName: undefined }),
  "pending: no node yet",
);
check(
  "a pod that a queue holds",
  podFixture({
    ...pending,
    nodeName: undefined,
    conditions: [condition("PodScheduled", "False", "SchedulingGated")],
  }),
  "pending: held by a queue",
);
check("a pod that just got its node", podFixture(pending), "pending: scheduled");
check(
  "a pod whose container is being made",
  podFixture({
    ...pending,
    containers: [containerFixture({ state: waiting("ContainerCreating") })],
  }),
  "starting",
);
check(
  "a pod whose network is up and whose container is not",
  podFixture({
    ...pending,
    containers: [containerFixture({ state: waiting("ContainerCreating") })],
    conditions: [condition("PodReadyToStartContainers", "True")],
  }),
  'pending: pulling image "spark:4.3.0"',
);
check(
  "a pod whose init container runs",
  podFixture({
    ...pending,
    containers: [containerFixture({ state: waiting("PodInitializing") })],
    initContainers: [
      endedFixture(0, { name: "first" }),
      containerFixture({ name: "second", firstArgument: undefined }),
    ],
  }),
  'pending: init container "second" is running',
);
check(
  "an image that is not there",
  podFixture({
    ...pending,
    containers: [containerFixture({ state: waiting("ImagePullBackOff") })],
  }),
  'pending: image "spark:4.3.0" cannot be pulled',
);
check(
  "a Secret that is not there",
  podFixture({
    ...pending,
    containers: [containerFixture({ state: waiting("CreateContainerConfigError") })],
  }),
  'pending: container "spark-kubernetes-executor" cannot be configured',
);
check("a running executor", podFixture(), "running");
check("a running driver", driverFixture(), "running");
check("a running pod whose containers tell nothing", podFixture({ containers: [] }), "running");
check(
  "a restarted executor",
  podFixture({ containers: [containerFixture({ restartCount: 2 })] }),
  "running, restarted 2 times",
);
check(
  "an executor restarted after its memory was over",
  podFixture({ containers: [containerFixture({ restartCount: 1, lastState: killed.state })] }),
  "running, restarted once (out of memory, exit code 137)",
);
check(
  "an executor whose container for the pod's whole life is down",
  podFixture({
    initContainers: [
      endedFixture(0, { ...sidecar, name: "fetch" }),
      containerFixture({ ...sidecar, state: waiting("CrashLoopBackOff") }),
    ],
  }),
  'running, container "proxy" failed',
);
check("a finished driver", driverFixture({ phase: "Succeeded" }), "succeeded");
check(
  "a driver out of memory",
  driverFixture({
    phase: "Failed",
    containers: [{ ...killed, name: "spark-kubernetes-driver", firstArgument: "driver" }],
  }),
  "failed: out of memory, exit code 137",
);
check(
  "an executor that failed by itself",
  podFixture({ phase: "Failed", containers: [endedFixture(1)] }),
  "failed: exit code 1",
);
check(
  "an executor without heap",
  podFixture({ phase: "Failed", containers: [endedFixture(52)] }),
  "failed: Java heap exhausted, exit code 52",
);
check(
  "an executor under a word that we do not know",
  podFixture({ phase: "Failed", containers: [], reason: "OutOfcpu" }),
  "failed: OutOfcpu",
);
check("a failed pod that says nothing", podFixture({ phase: "Failed", containers: [] }), "failed");

// States that Spark does not have, or describes with less detail.
check("running and asked to leave", podFixture({ deletionTimestamp }), "terminating");
check(
  "asked to leave, and left",
  podFixture({ deletionTimestamp, containers: [endedFixture(0)] }),
  "succeeded, being deleted",
);
check(
  "asked to leave, and stopped by the signal",
  podFixture({ deletionTimestamp, containers: [endedFixture(143)] }),
  "deleted",
);
check(
  "deleted while pending",
  podFixture({ ...pending, deletionTimestamp }),
  "stopped before starting",
);
check(
  "failed, then deleted",
  podFixture({ phase: "Failed", deletionTimestamp, containers: [killed] }),
  "failed: out of memory, exit code 137, being deleted",
);
check(
  "succeeded, then deleted",
  podFixture({ phase: "Succeeded", deletionTimestamp, containers: [endedFixture(0)] }),
  "succeeded, being deleted",
);
check(
  "on a lost node, and deleted",
  podFixture({ phase: "Unknown", deletionTimestamp }),
  "unknown: node unreachable, being deleted",
);
check("a phase that does not exist", podFixture({ phase: "Completed" }), "unknown: Completed");
const besideFailedSidecar = { containers: [containerFixture(), endedFixture(1, sidecar)] };
check(
  "a failed sidecar in Spark 4, before the driver removes the executor or if it checks its own container only",
  podFixture(besideFailedSidecar),
  'running, container "proxy" failed',
);
check(
  "a failed sidecar in Spark 4, and the driver deletes the executor",
  podFixture({ ...besideFailedSidecar, deletionTimestamp }),
  'failed: container "proxy": exit code 1, being deleted',
);
for (const version of ["3.5.9", "4.3.0"]) {
  check(
    `a failed sidecar in Spark ${version}, and the driver labels the executor inactive`,
    podFixture({
      ...besideFailedSidecar,
      labels: {
        "spark-role": "executor",
        "spark-version": version,
        "spark-exec-inactive": "true",
      },
    }),
    'failed: container "proxy": exit code 1',
  );
}
check(
  "a failed sidecar in Spark 3",
  podFixture({
    labels: { "spark-role": "executor", "spark-version": "3.5.9" },
    containers: [containerFixture(), endedFixture(1, sidecar)],
  }),
  'running, container "proxy" failed',
);
check(
  "a failed sidecar beside a driver",
  driverFixture({
    containers: [
      containerFixture({ name: "spark-kubernetes-driver", firstArgument: "driver" }),
      endedFixture(1, sidecar),
    ],
  }),
  'running, container "proxy" failed',
);
check(
  "a failed sidecar that is started again",
  podFixture({
    restartPolicy: "Always",
    containers: [containerFixture(), endedFixture(1, sidecar)],
  }),
  'running, container "proxy" failed',
);
check(
  "Spark has ended and a sidecar has not",
  podFixture({ containers: [containerFixture(sidecar), endedFixture(0)] }),
  'succeeded, container "proxy" keeps the pod running',
);
check(
  "a sidecar runs and Spark cannot",
  podFixture({
    containers: [
      containerFixture(sidecar),
      containerFixture({ state: waiting("ErrImagePull"), image: "spark:none" }),
    ],
  }),
  'pending: image "spark:none" cannot be pulled',
);
check(
  "a failed init container",
  podFixture({
    phase: "Failed",
    containers: [containerFixture({ state: waiting("PodInitializing") })],
    initContainers: [endedFixture(2, { name: "fetch", firstArgument: undefined })],
  }),
  'failed: container "fetch": exit code 2',
);
check(
  "evicted before it started",
  podFixture({ phase: "Failed", containers: [], reason: "Evicted" }),
  "failed: evicted",
);
check(
  "preempted",
  podFixture({
    phase: "Failed",
    containers: [endedFixture(143)],
    conditions: [condition("DisruptionTarget", "True", "PreemptionByScheduler")],
  }),
  "failed: preempted by a higher-priority pod, exit code 143",
);
check(
  "a container of Spark under another name, which Spark itself does not find",
  podFixture({
    restartPolicy: "Always",
    containers: [
      containerFixture({ ...sidecar, name: "spark-kubernetes-executor" }),
      endedFixture(3, { name: "main" }),
    ],
  }),
  "failed: exit code 3",
);

test("a state is shown in the language of the user, except names of containers and images", () => {
  const lastExit = {
    ...{ container: "spark", isSpark: true, exitCode: 137, signal: undefined },
    ...{ reason: "OOMKilled", message: undefined },
  };
  assert.equal(
    inPseudoLanguage(
      describeState({ kind: "running", restarts: 2, lastExit, failedSidecar: "istio" }),
    ),
    '⟦⟦⟦running⟧, ⟦⟦restarted 2 times⟧ (⟦⟦out of memory⟧, ⟦exit code 137⟧⟧)⟧⟧, ⟦container "istio" failed⟧⟧',
  );
});
