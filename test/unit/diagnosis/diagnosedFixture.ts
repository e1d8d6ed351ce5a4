import type { DiagnosedPod } from "../../../src/spark/diagnosis/diagnosis.ts";
import type { PodEventRecord } from "../../../src/spark/diagnosis/podEventRecord.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { ContainerRecord, PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { containerFixture, driverFixture, endedFixture, podFixture } from "../pods/podFixture.ts";

export const now = Date.parse("2026-01-02T03:10:00Z");

/** Returns the facts about the driver, or about an executor of a running driver. `fields` overrides single facts. */
export function diagnosedFixture(pod: PodRecord, fields: Partial<DiagnosedPod> = {}): DiagnosedPod {
  const role = pod.labels["spark-role"] === "driver" ? "driver" : "executor";
  const pods = role === "driver" ? [pod] : [driverFixture(), pod];
  const { snapshot } = replacePods(emptySnapshot, pods);
  const application = firstOf(buildApplications(snapshot).applications);
  if (application === undefined) throw new Error("no application");
  return {
    pod,
    state: displayState(pod),
    role,
    isPython: undefined,
    events: [],
    application,
    report: undefined,
    now,
    ...fields,
  };
}

const requests = {
  cpu: "500m",
  memory: "5530Mi",
  "nvidia.com/gpu": "2",
  "ephemeral-storage": "20Gi",
};

/** Returns an executor that the scheduler could not place, with this message. */
export const unscheduled = (message: string): PodRecord =>
  podFixture({
    phase: "Pending",
    nodeName: undefined,
    conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
    containers: [containerFixture({ state: undefined, requests })],
  });

/** Returns an executor whose container waits for this reason. */
export const waiting = (
  reason: string,
  message: string,
  fields: Partial<PodRecord> = {},
): PodRecord =>
  podFixture({
    phase: "Pending",
    containers: [
      containerFixture({ image: "apps/etl:7", state: { kind: "waiting", reason, message } }),
    ],
    ...fields,
  });

interface End {
  readonly reason?: string;
  readonly message?: string;
  readonly seconds?: number;
  readonly container?: Partial<ContainerRecord>;
}

/** Returns a container that terminated with this exit code. */
export function endedSo(code: number, { reason, message, seconds = 600, container }: End = {}) {
  const startedAt = "2026-01-02T03:04:10Z";
  const finishedAt = new Date(Date.parse(startedAt) + seconds * 1000).toISOString();
  return endedFixture(code, {
    memoryLimit: "1408Mi",
    state: {
      kind: "terminated",
      exitCode: code,
      signal: undefined,
      reason: reason ?? "Error",
      message,
      startedAt,
      finishedAt,
    },
    ...container,
  });
}

/** Returns an executor whose Spark container terminated with this exit code. */
export const failed = (code: number, end?: End, fields: Partial<PodRecord> = {}): PodRecord =>
  podFixture({ phase: "Failed", containers: [endedSo(code, end)], ...fields });

export const failedDriver = (code: number, end?: End, fields: Partial<PodRecord> = {}): PodRecord =>
  driverFixture({
    phase: "Failed",
    containers: [
      endedSo(code, {
        ...end,
        container: { name: "spark-kubernetes-driver", firstArgument: "driver" },
      }),
    ],
    ...fields,
  });

/** Returns a pod that failed as a whole, with this reason and message in its status. */
export const rejected = (reason: string, message = ""): PodRecord =>
  podFixture({ phase: "Failed", reason, message, containers: [] });

export const disrupted = (reason: string): PodRecord =>
  podFixture({
    phase: "Failed",
    conditions: [{ type: "DisruptionTarget", status: "True", reason, message: "as told" }],
    containers: [endedSo(143)],
  });

export const starting = podFixture({
  phase: "Pending",
  containers: [
    containerFixture({
      state: { kind: "waiting", reason: "ContainerCreating", message: undefined },
    }),
  ],
});

export const noted = (reason: string, message: string): PodEventRecord => ({
  reason,
  message,
  isWarning: true,
  count: 1,
  lastAt: "2026-01-02T03:09:00Z",
  from: "kubelet",
});
