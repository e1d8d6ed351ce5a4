import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Application, SparkPod } from "../../../src/spark/pods/application.ts";
import { executorsOf } from "../../../src/spark/pods/applicationRun.ts";
import {
  buildApplications,
  earlierRuns,
  emptyModel,
  findApplication,
  updateApplications,
  type ApplicationModel,
} from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { describeApplication } from "../../../src/spark/pods/describeApplication.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import {
  applyPodEvents,
  changesBetween,
  emptySnapshot,
  type PodChanges,
  type PodEvent,
} from "../../../src/spark/pods/podSnapshot.ts";
import { deletedObjects } from "../../../src/spark/pods/ownedObjects.ts";
import { driverFixture, endedFixture, podFixture } from "./podFixture.ts";
import { checkTranslated } from "../../pseudoLanguage.ts";
import { inEnglish } from "../../../src/base/message.ts";

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

const removal = (...gone: readonly PodRecord[]): PodChanges => ({
  added: [],
  modified: [],
  removed: gone.map((pod) => ({ before: pod, last: pod })),
});

const modelOf = (...pods: readonly PodRecord[]): ApplicationModel =>
  buildApplications(replacePods(emptySnapshot, pods).snapshot);

function onlyOne({ applications }: ApplicationModel): Application {
  const [application] = itemsIn(applications);
  assert.ok(application !== undefined && applications.size === 1);
  return application;
}

test("groups pods by namespace and application id, and orders executors by number", () => {
  const application = onlyOne(modelOf(executor(10), executor(9), driverFixture(), executor(1)));
  assert.equal(application.key, "jobs/spark-1");
  assert.equal(application.name, "pi");
  assert.equal(application.driver?.pod.uid, "uid-driver");
  assert.deepEqual(
    [...executorsOf(application)].map(({ executorId }) => executorId),
    [1, 9, 10],
  );
  const two = modelOf(executor(1), executor(1, { namespace: "other", uid: "other-1" }));
  assert.deepEqual([...itemsIn(two.applications)].map(({ key }) => key).sort(), [
    "jobs/spark-1",
    "other/spark-1",
  ]);
});

test("executors without a valid id come last", () => {
  const application = onlyOne(modelOf(executor("EXECID"), executor(3)));
  assert.deepEqual(
    [...executorsOf(application)].map(({ executorId }) => executorId),
    [3, undefined],
  );
});

test("takes the name from the label, otherwise from the driver's pod name", () => {
  const labels = { "spark-app-selector": "spark-1", "spark-role": "driver" };
  assert.equal(onlyOne(modelOf(driverFixture({ labels }))).name, "pi");
  assert.equal(onlyOne(modelOf(driverFixture({ labels, name: "my-app-driver" }))).name, "my-app");
  assert.equal(onlyOne(modelOf(driverFixture({ labels, name: "chosen" }))).name, "chosen");
  assert.equal(onlyOne(modelOf(executor(7))).name, "pi");
});

test("an application has the state of its driver and counts its executors", () => {
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
    inEnglish(describeApplication(application)),
    "running, 1 executor (1 pending, 1 failed, 1 finished, 1 unknown)",
  );
});

test("executors without a driver pod form an application", () => {
  const application = onlyOne(modelOf(executor(1)));
  assert.deepEqual(application.state, {
    kind: "driverElsewhere",
    owner: "pi-0123456789abcdef-driver",
  });
  assert.equal(
    inEnglish(describeApplication(application)),
    "running, driver in pod pi-0123456789abcdef-driver, 1 executor",
  );
  const nobodys = onlyOne(modelOf(executor(1, { ownerUid: undefined, ownerPod: undefined })));
  assert.equal(
    inEnglish(describeApplication(nobodys)),
    "running, driver outside the cluster, 1 executor",
  );
  const dead = onlyOne(modelOf(executor(1, { phase: "Failed" })));
  checkTranslated(describeApplication(dead));
  assert.equal(inEnglish(describeApplication(dead)), "no driver pod, 1 executor (1 failed)");
});

test("executors of a deleted driver are orphans, even while they run and change", () => {
  const driver = driverFixture();
  const { model } = updateApplications(modelOf(driver, executor(1)), removal(driver));
  const after = executor(1, { resourceVersion: "2" });
  const change = { added: [], modified: [{ before: executor(1), after }], removed: [] };
  for (const one of [model, updateApplications(model, change).model]) {
    const application = onlyOne(one);
    assert.deepEqual(application.state, { kind: "orphaned" });
    assert.equal(application.past.driver?.pod.uid, "uid-driver");
  }
});

test("executors are orphans if their driver's pod would be visible", () => {
  const made = modelOf(executor(1, { ownerPod: "pi-driver" }), executor(2));
  assert.deepEqual(onlyOne(made).state, { kind: "orphaned" });
  const notebook = modelOf(executor(1, { ownerPod: "notebook-0" }));
  assert.deepEqual(onlyOne(notebook).state, { kind: "driverElsewhere", owner: "notebook-0" });
  const { model } = updateApplications(made, addition(driverFixture({ name: "pi-driver" })));
  assert.equal(onlyOne(model).state.kind, "running");
});

test("a reused application id starts another run, with the executors that its driver owns", () => {
  const old = driverFixture({ uid: "old", phase: "Failed" });
  const young = driverFixture({ uid: "young", creationTimestamp: "2026-01-02T04:00:00Z" });
  const model = modelOf(
    old,
    young,
    executor(1, { ownerUid: "old", uid: "old-1", name: "old-exec-1" }),
    executor(1, { ownerUid: "young" }),
    executor(2, { ownerUid: undefined }),
  );
  const runs = [...itemsIn(model.applications)].map((run) => [
    run.key,
    run.driver?.pod.uid,
    run.live.size,
  ]);
  assert.deepEqual(runs, [
    ["jobs/spark-1", "young", 2],
    ["jobs/spark-1@old", "old", 1],
  ]);
  const later = updateApplications(model, removal(young)).model;
  const left = [...itemsIn(later.applications)].map((run) => [run.key, run.driver?.pod.uid]);
  assert.deepEqual(left, [["jobs/spark-1", "old"]]);
});

const oldRun = driverFixture({ uid: "old", phase: "Failed" });
const youngRun = driverFixture({ uid: "young", creationTimestamp: "2026-01-02T04:00:00Z" });
const ofOld = (id: number, fields: Partial<PodRecord> = {}): PodRecord =>
  executor(id, { ownerUid: "old", uid: `old-${id}`, name: `old-exec-${id}`, ...fields });
const ofYoung = (id: number, fields: Partial<PodRecord> = {}): PodRecord =>
  executor(id, { ownerUid: "young", uid: `young-${id}`, ...fields });

const addition = (...added: readonly PodRecord[]): PodChanges => ({
  added,
  modified: [],
  removed: [],
});

const pastOf = (model: ApplicationModel, key: string) => {
  const { past } = findApplication(model, key) ?? assert.fail(key);
  return { failed: past.failed, finished: past.finished, highestId: past.highestId };
};

test("a change in one of two runs with the same id does not touch the other run", () => {
  const many = Array.from({ length: 1000 }, (_, at) => ofYoung(at));
  const model = modelOf(oldRun, youngRun, ofOld(1), ...many);
  const { model: next } = updateApplications(model, {
    added: [],
    modified: [{ before: ofYoung(7), after: ofYoung(7, { resourceVersion: "2" }) }],
    removed: [],
  });
  const [before, after] = [model, next].map((one) => findApplication(one, "jobs/spark-1"));
  assert.ok(before && after);
  const touched = after.live.runs.filter((run) => !before.live.runs.includes(run));
  assert.equal(touched.length, 1);
  assert.deepEqual(after.formerKeys, ["jobs/spark-1@old"]);
  assert.equal(
    findApplication(next, "jobs/spark-1@old"),
    findApplication(model, "jobs/spark-1@old"),
  );
});

test("a run with a reused id begins without history, and the old run keeps its own", () => {
  const failed = ofOld(7, { phase: "Failed", containers: [endedFixture(1)] });
  const begun = modelOf(oldRun, ofOld(1), failed);
  const worn = updateApplications(begun, removal(failed)).model;
  const both = updateApplications(worn, addition(youngRun, ofYoung(1))).model;
  assert.deepEqual(pastOf(both, "jobs/spark-1"), { failed: 0, finished: 0, highestId: 1 });
  assert.deepEqual(pastOf(both, "jobs/spark-1@old"), { failed: 1, finished: 0, highestId: 7 });
  const replaced = updateApplications(worn, {
    ...addition(youngRun, ofYoung(1)),
    removed: [{ before: oldRun, last: oldRun }],
  }).model;
  assert.deepEqual(pastOf(replaced, "jobs/spark-1"), { failed: 0, finished: 0, highestId: 1 });
});

test("a deleted executor is counted in the run of its owner", () => {
  const failed = ofOld(7, { phase: "Failed", containers: [endedFixture(1)] });
  const model = modelOf(oldRun, youngRun, failed, ofOld(1), ofYoung(1));
  const next = updateApplications(model, removal(failed)).model;
  assert.deepEqual(pastOf(next, "jobs/spark-1"), { failed: 0, finished: 0, highestId: 1 });
  assert.deepEqual(pastOf(next, "jobs/spark-1@old"), { failed: 1, finished: 0, highestId: 7 });
  // The run ends with its driver, so the remaining executors belong to no run.
  const without = updateApplications(next, removal(oldRun)).model;
  const last = updateApplications(without, removal(ofOld(1))).model;
  assert.deepEqual(pastOf(last, "jobs/spark-1"), { failed: 0, finished: 0, highestId: 1 });
});

test("executors are orphans after all drivers of their id were deleted", () => {
  const { model } = updateApplications(
    modelOf(oldRun, youngRun, ofYoung(1)),
    removal(oldRun, youngRun),
  );
  assert.deepEqual(onlyOne(model).state, { kind: "orphaned" });
});

test("earlier runs are ended runs of the same name, after the oldest live one", () => {
  const run = (app: string, hour: number, phase: string): PodRecord =>
    driverFixture({
      uid: app,
      phase,
      creationTimestamp: `2026-01-02T0${hour}:00:00Z`,
      labels: { "spark-app-selector": app, "spark-role": "driver", "spark-app-name": "orders" },
    });
  const { applications } = modelOf(
    run("spark-1", 1, "Succeeded"),
    run("spark-2", 2, "Running"),
    run("spark-3", 3, "Failed"),
    run("spark-4", 4, "Running"),
  );
  const earlier = [...earlierRuns(itemsIn(applications), () => undefined)].map(([key, runs]) => [
    key,
    runs.map(({ id }) => id),
  ]);
  assert.deepEqual(earlier, [["jobs/spark-2", ["spark-3", "spark-1"]]]);
});

test("counts failed and finished executors after deletion, and keeps the highest id", () => {
  const good = executor(2, { phase: "Succeeded", containers: [endedFixture(0)] });
  const bad = executor(7, { phase: "Failed", containers: [endedFixture(1)] });
  const model = modelOf(driverFixture(), executor(1), good, bad);
  const { past } = onlyOne(updateApplications(model, removal(good, bad)).model);
  assert.deepEqual([past.failed, past.finished, past.highestId], [1, 1, 7]);
});

const endedAt = (code: number, minute: number) =>
  endedFixture(code, {
    state: {
      kind: "terminated",
      exitCode: code,
      signal: undefined,
      reason: "Error",
      message: undefined,
      startedAt: undefined,
      finishedAt: `2026-01-02T03:${minute}:00Z`,
    },
  });
const failedAt = (id: number, minute: number, fields: Partial<PodRecord> = {}): PodRecord =>
  executor(id, { phase: "Failed", containers: [endedAt(1, minute)], ...fields });

test("keeps only the last failure of deleted executors", () => {
  const [early, late, good] = [failedAt(3, 10), failedAt(2, 20), executor(4)];
  let model = modelOf(driverFixture(), executor(1), early, late, good);
  const kept = () => onlyOne(model).past.lastFailed?.pod.uid;
  assert.equal(kept(), undefined);
  model = updateApplications(model, removal(late, early)).model;
  assert.equal(kept(), late.uid);
  model = updateApplications(model, removal(good)).model;
  assert.equal(kept(), late.uid);
  model = updateApplications(model, {
    ...addition(),
    removed: [{ before: undefined, last: failedAt(5, 30) }],
  }).model;
  assert.equal(kept(), failedAt(5, 30).uid);
  assert.equal(onlyOne(model).past.failed, 3);
});

test("an executor that had failed before Spark deleted its pod has failed", () => {
  const ended = failedAt(2, 19, { containers: [endedAt(143, 19)] });
  const last = { ...ended, deletionTimestamp: "2026-01-02T03:20:00Z" };
  const model = modelOf(driverFixture(), executor(1), ended);
  const removed = [{ before: ended, last }];
  const { past } = onlyOne(updateApplications(model, { ...addition(), removed }).model);
  assert.deepEqual([past.failed, past.lastFailed?.pod.uid], [1, ended.uid]);
  assert.equal(past.lastDeleted, undefined);
});

test("an executor that ended on request has not failed, but an evicted one has", () => {
  const asked = { deletionTimestamp: "2026-01-02T03:20:00Z", containers: [endedAt(143, 19)] };
  const evicted = { type: "DisruptionTarget", status: "True", reason: "", message: "" };
  const pods = [
    failedAt(2, 19, asked),
    failedAt(3, 19, { ...asked, conditions: [evicted] }),
    failedAt(4, 19, { ...asked, reason: "Terminated" }),
    failedAt(5, 19, { ...asked, containers: [endedAt(137, 19)] }),
    failedAt(6, 19, { containers: [endedAt(143, 19)] }),
  ];
  const failures = pods.map((pod) => {
    const model = modelOf(driverFixture(), executor(1), pod);
    const { past } = onlyOne(updateApplications(model, removal(pod)).model);
    assert.equal(past.failed + past.finished, 1);
    return past.failed;
  });
  assert.deepEqual(failures, [0, 1, 1, 1, 1]);
});

test("a pod that gets another executor id stays one executor with known former ids", () => {
  const numbered = (id: number | string, version: string): PodRecord =>
    executor(id, { uid: "worker-0", resourceVersion: version });
  let model = modelOf(driverFixture(), executor(1), numbered("EXECID", "1"));
  const renumber = (before: PodRecord, after: PodRecord): void => {
    const modified = [{ before, after }];
    model = updateApplications(model, { added: [], modified, removed: [] }).model;
  };
  renumber(numbered("EXECID", "1"), numbered(3, "2"));
  assert.deepEqual([...onlyOne(model).formerIds], []);
  renumber(numbered(3, "2"), numbered(9, "3"));
  renumber(numbered(9, "3"), numbered(9, "4"));
  renumber(numbered(9, "4"), numbered(12, "5"));
  const ids = [...itemsIn(onlyOne(model).live)].map(({ executorId }) => executorId);
  assert.deepEqual(ids, [1, 12]);
  assert.deepEqual([...onlyOne(model).formerIds], [["worker-0", [3, 9]]]);
  model = updateApplications(model, removal(numbered(12, "5"))).model;
  assert.deepEqual([...onlyOne(model).formerIds], []);
});

test("counts executors by resource profile", () => {
  const withProfile = (id: number, profile: string): PodRecord => {
    const pod = executor(id);
    return { ...pod, labels: { ...pod.labels, "spark-exec-resourceprofile-id": profile } };
  };
  const { profiles } = onlyOne(
    modelOf(driverFixture(), withProfile(1, "10"), withProfile(2, "2"), executor(3)),
  );
  assert.deepEqual(
    profiles.map(({ profile, counts }) => [profile, counts.running]),
    [
      ["0", 1],
      ["2", 1],
      ["10", 1],
    ],
  );
});

test("a Connect server of an operator is one application with its executors", () => {
  const connect = { "sparkoperator.k8s.io/connect-name": "notebooks" };
  const server = driverFixture({
    name: "notebooks-server",
    labels: { ...connect, "spark-role": "connect-server" },
  });
  const worker = executor(1);
  const application = onlyOne(
    modelOf(server, { ...worker, labels: { ...worker.labels, ...connect } }),
  );
  assert.equal(application.name, "notebooks");
  assert.equal(application.live.size, 1);
  assert.deepEqual(application.origin, {
    operator: { operator: "kubeflow", kind: "SparkConnect", name: "notebooks" },
    isConnect: true,
    user: undefined,
  });
});

test("the newest application comes first", () => {
  const names = modelOf(
    executor(1, { creationTimestamp: "2026-01-02T03:00:00Z" }, "spark-a"),
    executor(2, { creationTimestamp: "2026-01-02T05:00:00Z" }, "spark-b"),
    executor(3, { creationTimestamp: "2026-01-02T04:00:00Z" }, "spark-c"),
  ).applications;
  const ids = [...itemsIn(names)].map(({ id }) => id);
  assert.deepEqual(ids, ["spark-b", "spark-c", "spark-a"]);
});

const membersOf = (application: Application): readonly SparkPod[] => [
  ...(application.driver === undefined ? [] : [application.driver]),
  ...executorsOf(application),
];

/** Removes fields about deleted pods, which only a watch can know. */
const plain = (model: ApplicationModel) =>
  [...itemsIn(model.applications)]
    .map((application) => ({
      ...application,
      past: undefined,
      createdAt: undefined,
      live: [...itemsIn(application.live)],
      ended: [...itemsIn(application.ended)],
      state: application.driver === undefined ? "no driver" : application.state,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

const pods = fc.record({
  app: fc.constantFrom("spark-1", "spark-2", "spark-3"),
  id: fc.integer({ min: 0, max: 12 }),
  phase: fc.constantFrom("Pending", "Running", "Failed"),
  isDriver: fc.boolean(),
});

const events = fc.array(fc.tuple(fc.constantFrom("modified", "modified", "deleted"), pods), {
  maxLength: 8,
});

test("an updated model equals a rebuilt one, and keeps unchanged objects", () => {
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
            : // An allocator may reassign the executor id; here even the application.
              executor(id, { uid: `exec-${id}`, resourceVersion, phase }, app);
          return { kind: kind === "deleted" ? "deleted" : "modified", pod };
        });
        const step = applyPodEvents(snapshot, told);
        const before = model;
        const next = updateApplications(before, changesBetween(snapshot, step.snapshot));
        snapshot = step.snapshot;
        model = next.model;
        assert.deepEqual(plain(model), plain(buildApplications(snapshot)));
        const touched = new Set(told.map(({ pod }) => pod.uid));
        const kept = new Set([...itemsIn(model.applications)].flatMap(membersOf));
        for (const application of itemsIn(before.applications)) {
          const same = findApplication(model, application.key) === application;
          assert.equal(next.changedKeys.has(application.key), !same);
          for (const member of membersOf(application)) {
            if (touched.has(member.pod.uid)) continue;
            assert.ok(kept.has(member), "an untouched pod keeps its object");
          }
        }
      }
    }),
  );
});

test("an application without changed pods stays the same object", () => {
  const model = modelOf(executor(1, {}, "spark-1"), executor(1, {}, "spark-2"));
  const changed = executor(1, { phase: "Failed", resourceVersion: "9" }, "spark-2");
  const find = (key: string) => findApplication(model, key);
  const [before] = executorsOf(find("jobs/spark-2") ?? assert.fail());
  assert.ok(before);
  const { model: next, changedKeys } = updateApplications(model, {
    added: [],
    modified: [{ before: before.pod, after: changed }],
    removed: [],
  });
  assert.equal(findApplication(next, "jobs/spark-1"), find("jobs/spark-1"));
  assert.notEqual(findApplication(next, "jobs/spark-2"), find("jobs/spark-2"));
  assert.deepEqual([...changedKeys], ["jobs/spark-2"]);
});

test("removes an application with its last pod", () => {
  const pod = executor(1);
  const { model } = updateApplications(modelOf(pod), removal(pod));
  assert.deepEqual([...itemsIn(model.applications)], []);
});

test("stopping deletes the objects that the driver pod owns, and those of its executor sets", () => {
  const application = onlyOne(
    modelOf(
      driverFixture(),
      executor(1, { ownerUid: "uid-driver" }),
      executor(2, { ownerUid: "somebody-else" }),
      executor(3, { ownerUid: "uid-of-set", ownerPod: undefined, name: "spark-s-spark-1-0-0" }),
    ),
  );
  assert.ok(application.driver);
  const owned = (uid: string) => ({ metadata: { ownerReferences: [{ kind: "Pod", uid }] } });
  assert.deepEqual(
    deletedObjects(application, application.driver, [
      { kind: "Service", name: "pi-driver-svc", body: owned("uid-driver") },
      { kind: "ConfigMap", name: "of-another", body: owned("x") },
      { kind: "ConfigMap", name: "of-nobody", body: { metadata: {} } },
      { kind: "ConfigMap", name: "broken", body: null },
    ]),
    {
      driver: "pi-0123456789abcdef-driver",
      executors: ["pi-exec-1", "spark-s-spark-1-0-0"],
      objects: [
        { kind: "StatefulSet", name: "spark-s-spark-1-0" },
        { kind: "Service", name: "pi-driver-svc" },
      ],
    },
  );
});
