import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  buildApplications,
  emptyModel,
  updateApplications,
  type Application,
  type ApplicationModel,
} from "../../../src/spark/pods/applications.ts";
import { describeApplication } from "../../../src/spark/pods/describeApplication.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import {
  applyPodEvents,
  emptySnapshot,
  replacePods,
  type PodEvent,
} from "../../../src/spark/pods/podSnapshot.ts";
import { whatGoes } from "../../../src/spark/pods/whatGoes.ts";
import { driverFixture, endedFixture, podFixture } from "./podFixture.ts";

function executor(
  id: number | string,
  fields: Partial<PodRecord> = {},
  app = "spark-1",
): PodRecord {
  return podFixture({
    uid: `${app}-exec-${id}`,
    name: `pi-exec-${id}`,
    labels: {
      "spark-app-selector": app,
      "spark-role": "executor",
      "spark-exec-id": String(id),
      "spark-version": "4.3.0",
    },
    ...fields,
  });
}

const modelOf = (...pods: readonly PodRecord[]): ApplicationModel =>
  buildApplications(replacePods(emptySnapshot, pods).snapshot);

function onlyOne({ applications }: ApplicationModel): Application {
  const [application] = applications;
  assert.ok(application !== undefined && applications.length === 1);
  return application;
}

test("pods are grouped by namespace and application id, executors in the order of their numbers", () => {
  const application = onlyOne(modelOf(executor(10), executor(9), driverFixture(), executor(1)));
  assert.equal(application.key, "jobs/spark-1");
  assert.equal(application.name, "pi");
  assert.equal(application.driver?.pod.uid, "uid-driver");
  assert.deepEqual(
    application.executors.map(({ executorId }) => executorId),
    [1, 9, 10],
  );
  const two = modelOf(executor(1), executor(1, { namespace: "other", uid: "other-1" }));
  assert.deepEqual([...two.byKey.keys()].sort(), ["jobs/spark-1", "other/spark-1"]);
});

test("executors without a usable id come last", () => {
  const { executors } = onlyOne(modelOf(executor("EXECID"), executor(3)));
  assert.deepEqual(
    executors.map(({ executorId }) => executorId),
    [3, undefined],
  );
});

test("the name is the label's, or what is left of the driver's name", () => {
  const labels = { "spark-app-selector": "spark-1", "spark-role": "driver" };
  assert.equal(onlyOne(modelOf(driverFixture({ labels }))).name, "pi");
  assert.equal(onlyOne(modelOf(driverFixture({ labels, name: "my-app-driver" }))).name, "my-app");
  assert.equal(onlyOne(modelOf(driverFixture({ labels, name: "chosen" }))).name, "chosen");
  assert.equal(onlyOne(modelOf(executor(7))).name, "pi");
});

test("an application is what its driver is, and its executors are counted", () => {
  const application = onlyOne(
    modelOf(
      driverFixture(),
      executor(1),
      executor(2, { phase: "Pending", nodeName: undefined }),
      executor(3, { phase: "Failed", containers: [endedFixture(1)] }),
      executor(4, { phase: "Succeeded" }),
      executor(5, { phase: "Unknown" }),
    ),
  );
  assert.deepEqual(application.counts, {
    pending: 1,
    running: 1,
    failed: 1,
    finished: 1,
    unknown: 1,
  });
  assert.equal(
    describeApplication(application),
    "running, 5 executors (1 pending, 1 failed, 1 finished, 1 unknown)",
  );
});

test("executors without a driver pod are an application too", () => {
  const application = onlyOne(modelOf(executor(1)));
  assert.deepEqual(application.state, { kind: "orphaned" });
  assert.equal(describeApplication(application), "no driver pod, 1 executor");
});

test("of several drivers the newest counts, and when it goes the one before does", () => {
  const old = driverFixture({ uid: "old", phase: "Failed" });
  const young = driverFixture({ uid: "young", creationTimestamp: "2026-01-02T04:00:00Z" });
  const model = modelOf(old, young);
  assert.equal(onlyOne(model).driver?.pod.uid, "young");
  assert.equal(onlyOne(model).formerDrivers.length, 1);
  const later = updateApplications(model, {
    added: [],
    modified: [],
    removed: [{ before: young, last: young }],
  });
  assert.equal(onlyOne(later).driver?.pod.uid, "old");
});

test("the newest application comes first", () => {
  const names = modelOf(
    executor(1, { creationTimestamp: "2026-01-02T03:00:00Z" }, "spark-a"),
    executor(1, { creationTimestamp: "2026-01-02T05:00:00Z" }, "spark-b"),
    executor(1, { creationTimestamp: "2026-01-02T04:00:00Z" }, "spark-c"),
  ).applications.map(({ id }) => id);
  assert.deepEqual(names, ["spark-b", "spark-c", "spark-a"]);
});

const pods = fc.record({
  app: fc.constantFrom("spark-1", "spark-2", "spark-3"),
  id: fc.integer({ min: 0, max: 12 }),
  phase: fc.constantFrom("Pending", "Running", "Failed"),
  isDriver: fc.boolean(),
});

const events = fc.array(fc.tuple(fc.constantFrom("modified", "modified", "deleted"), pods), {
  maxLength: 8,
});

test("the model brought up to date equals the model built anew, and keeps what was not touched", () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 8 }), (batches) => {
      let snapshot = emptySnapshot;
      let model = emptyModel;
      let version = 1;
      for (const batch of batches) {
        const told = batch.map(([kind, { app, id, phase, isDriver }]): PodEvent => {
          version += 1;
          const resourceVersion = String(version);
          const pod = isDriver
            ? driverFixture({
                uid: `${app}-driver-${id}`,
                resourceVersion,
                phase,
                labels: { "spark-app-selector": app, "spark-role": "driver" },
              })
            : // An allocator may give a pod another executor id, and so may the test another application.
              executor(id, { uid: `exec-${id}`, resourceVersion, phase }, app);
          return { kind: kind === "deleted" ? "deleted" : "modified", pod };
        });
        const step = applyPodEvents(snapshot, told);
        const before = model;
        snapshot = step.snapshot;
        model = updateApplications(before, step.changes);
        assert.deepEqual(model, buildApplications(snapshot));
        const touched = new Set(told.map(({ pod }) => pod.uid));
        for (const [key, application] of before.byKey) {
          const members = [...application.executors, ...application.formerDrivers];
          if (application.driver) members.push(application.driver);
          const next = model.byKey.get(key);
          if (next === undefined || next === application) continue;
          for (const member of members) {
            if (touched.has(member.pod.uid)) continue;
            assert.ok(
              [next.driver, ...next.executors, ...next.formerDrivers].includes(member),
              "an untouched pod keeps its object",
            );
          }
        }
      }
    }),
  );
});

test("an application of which no pod changed stays the same object", () => {
  const model = modelOf(executor(1, {}, "spark-1"), executor(1, {}, "spark-2"));
  const changed = executor(1, { phase: "Failed", resourceVersion: "9" }, "spark-2");
  const before = model.byKey.get("jobs/spark-2")?.executors[0]?.pod;
  assert.ok(before);
  const next = updateApplications(model, {
    added: [],
    modified: [{ before, after: changed }],
    removed: [],
  });
  assert.equal(next.byKey.get("jobs/spark-1"), model.byKey.get("jobs/spark-1"));
  assert.notEqual(next.byKey.get("jobs/spark-2"), model.byKey.get("jobs/spark-2"));
});

test("an application goes with its last pod", () => {
  const pod = executor(1);
  const next = updateApplications(modelOf(pod), {
    added: [],
    modified: [],
    removed: [{ before: pod, last: pod }],
  });
  assert.deepEqual(next.applications, []);
});

test("what a stop takes away is what the driver pod owns", () => {
  const application = onlyOne(
    modelOf(
      driverFixture(),
      executor(1, { ownerUid: "uid-driver" }),
      executor(2, { ownerUid: "somebody-else" }),
    ),
  );
  assert.ok(application.driver);
  const owned = (uid: string) => ({ metadata: { ownerReferences: [{ kind: "Pod", uid }] } });
  assert.deepEqual(
    whatGoes(application, application.driver, [
      { kind: "Service", name: "pi-driver-svc", body: owned("uid-driver") },
      { kind: "ConfigMap", name: "of-another", body: owned("x") },
      { kind: "ConfigMap", name: "of-nobody", body: { metadata: {} } },
      { kind: "ConfigMap", name: "broken", body: null },
    ]),
    {
      driver: "pi-0123456789abcdef-driver",
      executors: ["pi-exec-1"],
      objects: [{ kind: "Service", name: "pi-driver-svc" }],
    },
  );
});
