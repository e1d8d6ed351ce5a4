import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { describeRow } from "../../../src/spark/diagnosis/describe.ts";
import { diagnose } from "../../../src/spark/diagnosis/diagnose.ts";
import { rejectionInLog } from "../../../src/spark/diagnosis/starving.ts";
import { failedDriver, unscheduled, diagnosedFixture, now } from "./diagnosedFixture.ts";
import { driverFixture, endedFixture, podFixture } from "../pods/podFixture.ts";
import { buildApplications, updateApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";

function describedRow(pod: PodRecord, ...log: readonly string[]) {
  const { application } = diagnosedFixture(pod);
  const logCause = rejectionInLog(log);
  return describeRow(
    application,
    undefined,
    (one) => diagnose({ ...diagnosedFixture(one.pod), application, logCause }),
    now,
  );
}

function rowOf(pod: PodRecord, ...log: readonly string[]) {
  const { row, subject } = describedRow(pod, ...log);
  return [inEnglish(row), subject?.pod.name];
}

test("the row of a running driver names why it gets no executors", () => {
  const rejected =
    'io.fabric8.kubernetes.client.KubernetesClientException: Failure. Message: pods "x" is forbidden: exceeded quota: team-a, requested: pods=1.';
  const waits = "WARN TaskSchedulerImpl: Initial job has not accepted any resources; check";
  const driver = driverFixture();
  assert.deepEqual(rowOf(driver, rejected, waits), [
    "running · quota exceeded: team-a · no executors",
    driver.name,
  ]);
  assert.deepEqual(rowOf(driver, waits), [
    "running · no executors for a waiting job · no executors",
    driver.name,
  ]);
});

test("the row of a driver that ended for its failed executors is about one of them", () => {
  const failedAt = (id: number, fields: Partial<PodRecord>) =>
    podFixture({
      name: `pi-exec-${id}`,
      uid: `uid-${id}`,
      labels: { ...podFixture().labels, "spark-exec-id": `${id}` },
      phase: "Failed",
      ...fields,
    });
  const message = "Pod ephemeral local storage usage exceeds the total limit of containers 30Mi. ";
  const evicted = [1, 2].map((id) => failedAt(id, { reason: "Evicted", message }));
  const noise = failedAt(3, { containers: [endedFixture(1)] });
  const { snapshot } = replacePods(emptySnapshot, [failedDriver(11), ...evicted, noise]);
  const application = firstOf(buildApplications(snapshot).applications);
  assert.ok(application);
  const { row, subject, fact } = describeRow(
    application,
    undefined,
    (one) => diagnose({ ...diagnosedFixture(one.pod), application }),
    now,
  );
  assert.equal(
    inEnglish(row),
    "failed · 3 executors failed · evicted: local storage limit exceeded · no live executors",
  );
  assert.deepEqual([subject?.pod.name, fact?.id], ["pi-exec-2", "D23"]);
  assert.match(inEnglish(fact?.what) ?? "", /^More executors failed than the conf allows/);
});

test("the row of a running driver names the cause of failed executors that are kept", () => {
  const message = "Pod ephemeral local storage usage exceeds the total limit of containers 30Mi. ";
  const kept = podFixture({ phase: "Failed", reason: "Evicted", message });
  assert.deepEqual(rowOf(kept), [
    "running · 1 executor failed · evicted: local storage limit exceeded · no live executors",
    kept.name,
  ]);
});

test("the row of an application whose executors wait is about one of them", () => {
  const pod = unscheduled("0/3 nodes are available: 3 Insufficient memory");
  assert.deepEqual(rowOf(pod), [
    "running · no node has 5.4 GiB free · no executors (1 pending)",
    pod.name,
  ]);
});

test("an application is starved only while it waits for executors and none runs", () => {
  const waits = "WARN TaskSchedulerImpl: Initial job has not accepted any resources; check";
  const pending = unscheduled("0/3 nodes are available: 3 Insufficient memory");
  const message = "Pod ephemeral local storage usage exceeds the total limit of containers 30Mi. ";
  const lost = podFixture({ phase: "Failed", reason: "Evicted", message });
  assert.equal(describedRow(pending).isStarved, true);
  assert.equal(describedRow(driverFixture(), waits).isStarved, true);
  assert.equal(describedRow(driverFixture()).isStarved, false);
  assert.equal(describedRow(podFixture({ phase: "Running" })).isStarved, false);
  const past = describedRow(lost);
  assert.notEqual(past.fact, undefined);
  assert.equal(past.isStarved, false);
  assert.equal(describedRow(failedDriver(1)).isStarved, false);
});

/** Returns the row of a running application whose executor 1 was deleted for a reason that the driver reported. */
function rowAfterDeletion(reason: string, name = podFixture().name): string {
  const executor: PodRecord = { ...podFixture(), name };
  const last: PodRecord = {
    ...executor,
    phase: "Failed",
    deletionTimestamp: "2026-01-02T03:09:40Z",
    containers: [endedFixture(143)],
  };
  const { snapshot } = replacePods(emptySnapshot, [driverFixture(), executor]);
  const removal = { added: [], modified: [], removed: [{ before: executor, last }] };
  const { model } = updateApplications(buildApplications(snapshot), removal);
  const application = firstOf(model.applications);
  assert.ok(application);
  const report = {
    ...{ readAt: now, registered: new Set<string>(), allocation: undefined },
    removed: new Map([["1", reason]]),
  };
  const { row } = describeRow(
    application,
    report,
    ({ pod }) => diagnose({ ...diagnosedFixture(pod), application, report }),
    now,
  );
  return inEnglish(row);
}

const deletedByOthers = "The executor with id 1 was deleted by a user or the framework.";

test("the row of a running driver names an executor that another tool deleted", () => {
  assert.match(
    rowAfterDeletion(deletedByOthers),
    /^running · executor 1: deleted by a user or controller, exit code 143 · /,
  );
  assert.doesNotMatch(rowAfterDeletion("Executor killed by driver."), /deleted/);
});

test("the row of a running driver does not name executors of a set, which scaling deletes", () => {
  assert.doesNotMatch(rowAfterDeletion(deletedByOthers, "spark-s-spark-1-0-1"), /deleted/);
});
