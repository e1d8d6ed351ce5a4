import type { ContainerRecord, PodRecord } from "../../../src/spark/pods/podRecord.ts";

/** Returns a running executor. `fields` overrides single fields; another uid gives another name. */
export function podFixture(fields: Partial<PodRecord> = {}): PodRecord {
  return {
    uid: "uid-1",
    name: fields.uid === undefined ? "pi-exec-1" : `pi-${fields.uid}`,
    namespace: "jobs",
    resourceVersion: "1",
    creationTimestamp: "2026-01-02T03:04:05Z",
    deletionTimestamp: undefined,
    labels: {
      "spark-app-selector": "spark-1",
      "spark-role": "executor",
      "spark-exec-id": "1",
      "spark-version": "4.3.0",
    },
    ownerUid: "uid-driver",
    ownerPod: "pi-0123456789abcdef-driver",
    nodeName: "node-1",
    nominatedNodeName: undefined,
    schedulerName: undefined,
    restartPolicy: "Never",
    phase: "Running",
    reason: undefined,
    message: undefined,
    podIp: undefined,
    startTime: undefined,
    sparkUser: undefined,
    driving: undefined,
    conditions: [],
    containers: [containerFixture()],
    initContainers: [],
    ...fields,
  };
}

export function containerFixture(fields: Partial<ContainerRecord> = {}): ContainerRecord {
  return {
    name: "spark-kubernetes-executor",
    image: "spark:4.3.0",
    firstArgument: "executor",
    requests: undefined,
    memoryLimit: undefined,
    ready: true,
    restartCount: 0,
    state: { kind: "running", startedAt: undefined },
    lastState: undefined,
    ...fields,
  };
}

export function driverFixture(fields: Partial<PodRecord> = {}): PodRecord {
  return podFixture({
    uid: "uid-driver",
    name: `pi-${fields.uid ?? "0123456789abcdef"}-driver`,
    labels: {
      "spark-app-selector": "spark-1",
      "spark-role": "driver",
      "spark-app-name": "pi",
      "spark-version": "4.3.0",
    },
    ownerUid: undefined,
    ownerPod: undefined,
    driving: { mainClass: undefined, uiPort: 4040, exitException: undefined },
    containers: [containerFixture({ name: "spark-kubernetes-driver", firstArgument: "driver" })],
    ...fields,
  });
}

/** Returns a terminated container. */
export const endedFixture = (exitCode: number, fields: Partial<ContainerRecord> = {}) =>
  containerFixture({
    ready: false,
    state: {
      kind: "terminated",
      exitCode,
      signal: undefined,
      reason: exitCode === 0 ? "Completed" : "Error",
      message: undefined,
      startedAt: undefined,
      finishedAt: undefined,
    },
    ...fields,
  });

/** Returns an executor of the application of `driverFixture`. */
export const executorFixture = (id: number, fields: Partial<PodRecord> = {}): PodRecord =>
  podFixture({
    uid: `exec-${id}`,
    labels: {
      "spark-app-selector": "spark-1",
      "spark-role": "executor",
      "spark-exec-id": String(id),
    },
    ...fields,
  });

/** An executor that the kernel killed at its memory limit. */
export const killedExecutor = executorFixture(1, {
  phase: "Failed",
  containers: [
    containerFixture({
      memoryLimit: "1408Mi",
      state: {
        ...{ kind: "terminated", exitCode: 137, signal: undefined, reason: "OOMKilled" },
        ...{ message: undefined, startedAt: undefined, finishedAt: undefined },
      },
    }),
  ],
});
