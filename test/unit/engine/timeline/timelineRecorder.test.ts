import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TimelineRecorder } from "../../../../src/engine/timeline/timelineRecorder.ts";
import { noTotals } from "../../../../src/spark/diagnosis/driverReport.ts";
import { requestedEndLabel } from "../../../../src/spark/labels.ts";
import type { Application } from "../../../../src/spark/pods/application.ts";
import { buildApplications, findApplication } from "../../../../src/spark/pods/applications.ts";
import { replacePods } from "../../../../src/spark/pods/podListing.ts";
import type { ContainerState, PodRecord } from "../../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../../src/spark/pods/podSnapshot.ts";
import { countsOf } from "../../../../src/spark/timeline/executorCounts.ts";
import type { Timeline } from "../../../../src/spark/timeline/timeline.ts";
import { spanFixture } from "../../timeline/timelineFixture.ts";
import { containerFixture, driverFixture, podFixture } from "../../pods/podFixture.ts";

const key = "jobs/spark-1";
const second = (text: string): number => Date.parse(`2026-01-02T03:${text}Z`);

const applicationOf = (...pods: readonly PodRecord[]): Application | undefined =>
  findApplication(buildApplications(replacePods(emptySnapshot, pods).snapshot), key);

function executor(id: number, state: ContainerState, fields: Partial<PodRecord> = {}): PodRecord {
  const labels = {
    "spark-app-selector": "spark-1",
    "spark-role": "executor",
    "spark-exec-id": `${id}`,
  };
  const requests = { cpu: "500m", memory: "1Gi" };
  return podFixture({
    uid: `exec-${id}`,
    startTime: "2026-01-02T03:04:06Z",
    containers: [containerFixture({ state, requests, memoryLimit: "1Gi" })],
    ...fields,
    labels: { ...labels, ...fields.labels },
  });
}

const running: ContainerState = { kind: "running", startedAt: "2026-01-02T03:04:10Z" };
const killed: ContainerState = {
  ...{ kind: "terminated", exitCode: 137, signal: undefined, reason: "OOMKilled" },
  ...{ message: undefined, startedAt: "2026-01-02T03:04:10Z", finishedAt: "2026-01-02T03:04:40Z" },
};
const failed = { phase: "Failed" };
const unscheduled = {
  phase: "Pending",
  nodeName: undefined,
  startTime: undefined,
  containers: [containerFixture({ state: undefined, ready: false })],
  conditions: [
    {
      ...{ type: "PodScheduled", status: "False", reason: "Unschedulable" },
      message: "0/3 nodes are available: 3 Insufficient memory.",
    },
  ],
};

class Recording {
  readonly #recorder = new TimelineRecorder();
  #now = 0;

  see(now: number, ...pods: readonly PodRecord[]): this {
    this.#now = now;
    this.#recorder.take(
      [key],
      () => applicationOf(...pods),
      () => now,
    );
    return this;
  }

  get recorder(): TimelineRecorder {
    return this.#recorder;
  }

  get timeline(): Timeline {
    const timeline = this.#recorder.timelineOf(key, this.#now);
    assert.ok(timeline);
    return timeline;
  }

  changes(pod: string): readonly string[] {
    return this.timeline.changes
      .filter((change) => change.pod === pod)
      .map(({ at, to, reason }) =>
        [new Date(at).toISOString().slice(14, 19), to, reason].filter(Boolean).join(" "),
      );
  }
}

describe("the timeline recorder", () => {
  test("takes the times of a pod from its creation and its container", () => {
    const recording = new Recording().see(
      second("05:00"),
      driverFixture(),
      executor(1, running),
      executor(2, killed, failed),
    );
    assert.deepEqual(recording.changes("1"), ["04:05 pending starting", "04:10 running"]);
    assert.deepEqual(recording.changes("2"), [
      "04:05 pending starting",
      "04:10 running",
      "04:40 failed",
    ]);
  });

  test("an executor that ends in the second of its deletion does not end before it", () => {
    const deleted = { deletionTimestamp: "2026-01-02T03:05:10Z" };
    const recording = new Recording()
      .see(second("04:30"), driverFixture(), executor(1, running))
      // Times in container statuses have a resolution of one second.
      .see(second("04:40.700"), driverFixture(), executor(1, running, deleted))
      .see(second("04:41.200"), driverFixture(), executor(1, killed, { ...failed, ...deleted }));
    const counts = countsOf(recording.timeline);
    assert.deepEqual(recording.changes("1").slice(-2), ["04:40 leaving", "04:40 failed"]);
    assert.deepEqual(
      counts.filter(({ leaving, pending, running: up }) => Math.min(leaving, pending, up) < 0),
      [],
    );
  });

  test("records why an executor was pending, and its start between two deliveries", () => {
    const recording = new Recording()
      .see(second("04:07"), driverFixture(), executor(1, running, unscheduled))
      .see(second("05:00"), driverFixture(), executor(1, killed, failed));
    assert.deepEqual(recording.changes("1"), [
      "04:05 pending memory",
      "04:10 running",
      "04:40 failed",
    ]);
    const counts = countsOf(recording.timeline);
    assert.deepEqual(counts[0]?.reasons, { memory: 1 });
    assert.deepEqual(counts.at(-1)?.reasons, { memory: 0 });
  });

  test("marks a kill by a user once, and a failure with its exit code", () => {
    const isKilled = { labels: { [requestedEndLabel]: "killed" } };
    const recording = new Recording()
      .see(second("04:30"), driverFixture(), executor(1, running), executor(2, killed, failed))
      .see(second("04:50"), driverFixture(), executor(1, running, isKilled))
      .see(
        second("04:55"),
        driverFixture(),
        executor(1, { ...killed, reason: "Error" }, { ...failed, ...isKilled }),
      );
    assert.deepEqual(
      recording.timeline.marks.map(({ kind, pod, exit }) => [kind, pod, exit]),
      [
        ["failed", "2", "137 OOMKilled"],
        ["killed", "1", ""],
      ],
    );
  });

  test("ends an executor whose pod disappears", () => {
    const recording = new Recording()
      .see(second("04:30"), driverFixture(), executor(1, running))
      .see(second("04:50"), driverFixture());
    assert.deepEqual(recording.changes("1").at(-1), "04:50 finished");
  });

  test("keeps the record when all pods are deleted, and the last 50 of such records", () => {
    const recorder = new TimelineRecorder();
    const pods = [driverFixture(), executor(1, running)];
    for (let index = 0; index < 60; index += 1) {
      const name = `jobs/${index}`;
      recorder.take(
        [name],
        () => applicationOf(...pods),
        () => second("04:30"),
      );
      recorder.take(
        [name],
        () => "gone",
        () => second("04:50"),
      );
    }
    assert.equal(recorder.timelineOf("jobs/9", 0), undefined);
    assert.equal(recorder.timelineOf("jobs/10", 0)?.changes.at(-1)?.to, "finished");
    assert.equal([...recorder.keys()].length, 50);
  });

  test("adds up the requests of pods from their start to their end", () => {
    const recording = new Recording().see(
      second("04:36"),
      executor(1, running),
      executor(2, killed, failed),
    );
    // Executor 1 has run for 30 s, executor 2 ran for 34 s, each with half a core.
    assert.deepEqual(recording.timeline.spent, { coreMs: 32_000, byteMs: 64_000 * 2 ** 30 });
    recording.see(second("04:46"), executor(2, killed, failed));
    assert.deepEqual(recording.timeline.spent, { coreMs: 37_000, byteMs: 74_000 * 2 ** 30 });
  });

  test("samples the driver's answers at most once a second, with the limit of the executors", () => {
    const recording = new Recording().see(second("04:30"), driverFixture(), executor(1, running));
    const executors = { registered: new Set(["1"]), totals: noTotals, usage: new Map() };
    for (const now of [0, 500, 1_500]) {
      recording.recorder.read(key, { executors }, { now, allocation: undefined });
    }
    assert.deepEqual(
      recording.timeline.samples.map(({ at, limitBytes }) => [at, limitBytes]),
      [
        [0, 2 ** 30],
        [1_500, 2 ** 30],
      ],
    );
  });

  test("completes the last sample with the spill of the stages that are read after it", () => {
    const recording = new Recording().see(second("04:30"), driverFixture(), executor(1, running));
    const executors = { registered: new Set(["1"]), totals: noTotals, usage: new Map() };
    recording.recorder.read(key, { executors }, { now: 0, allocation: undefined });
    const stages = [
      spanFixture({ diskSpilledBytes: 5 }),
      spanFixture({ stageId: 1, diskSpilledBytes: 2 }),
    ];
    recording.recorder.read(key, { stages }, { now: 1_000, allocation: undefined });
    assert.deepEqual(
      recording.timeline.samples.map(({ at, diskSpilledBytes }) => [at, diskSpilledBytes]),
      [[0, 7]],
    );
  });

  test("ends a stage that is no longer active, until all stages are read", () => {
    const recording = new Recording().see(second("04:30"), driverFixture());
    const stage = {
      ...{ stageId: 3, attemptId: 0, name: "count", description: undefined, tasks: 10, active: 2 },
      ...{ done: 4, failed: 0, killed: 0, startedAt: 1_000 },
    };
    const read = (now: number, active: readonly (typeof stage)[]): void => {
      recording.recorder.read(key, { active }, { now, allocation: undefined });
    };
    read(5_000, [stage]);
    assert.deepEqual(
      recording.timeline.stages.map(({ status, submittedAt, endedAt }) => [
        status,
        submittedAt,
        endedAt,
      ]),
      [["ACTIVE", 1_000, undefined]],
    );
    read(9_000, []);
    read(12_000, []);
    assert.deepEqual(
      recording.timeline.stages.map(({ status, done, endedAt }) => [status, done, endedAt]),
      [["COMPLETE", 10, 9_000]],
    );
  });
});
