import assert from "node:assert/strict";
import { test } from "node:test";
import type { Application } from "../../../src/spark/pods/application.ts";
import { editRun } from "../../../src/spark/pods/applicationRun.ts";
import { buildApplications, updateApplications } from "../../../src/spark/pods/applications.ts";
import { executorsApart, podsGone } from "../../../src/spark/pods/changedRows.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, executorFixture as executor } from "./podFixture.ts";

const many = 600;
const pods = [driverFixture(), ...Array.from({ length: many }, (_, id) => executor(id + 1))];
const model = buildApplications(replacePods(emptySnapshot, pods).snapshot);

/** Returns the ids of executors whose rows change with one pod; undefined if the application itself changes. */
function apart(before: PodRecord, after: PodRecord | undefined): readonly unknown[] | undefined {
  const changes = {
    added: [],
    modified: after === undefined ? [] : [{ before, after }],
    removed: after === undefined ? [{ before, last: before }] : [],
  };
  const [old, now] = [model, updateApplications(model, changes).model].map(
    ({ applications }): Application | undefined => [...itemsIn(applications)][0],
  );
  assert.ok(old && now);
  return executorsApart(old, now)?.map(({ executorId }) => executorId);
}

test("a running executor redraws only its own row", () => {
  assert.deepEqual(apart(executor(300), executor(300, { resourceVersion: "2" })), [300]);
});

test("an executor that fails, waits, is deleted or replaced changes the application's row", () => {
  const waiting = { phase: "Pending", nodeName: undefined };
  assert.equal(apart(executor(300), executor(300, { phase: "Failed" })), undefined);
  assert.equal(apart(executor(300), executor(300, waiting)), undefined);
  assert.equal(apart(executor(300), undefined), undefined);
  assert.equal(apart(executor(300), executor(300, { uid: "other" })), undefined);
});

test("an ended executor whose pod is deleted changes the rows below the application", () => {
  const one = executor(1, { phase: "Failed" });
  const leaving = { ...one, resourceVersion: "2", deletionTimestamp: "2026-01-02T03:10:20Z" };
  const of = (pod: PodRecord): Application => {
    const { snapshot } = replacePods(emptySnapshot, [driverFixture(), pod]);
    return [...itemsIn(buildApplications(snapshot).applications)][0] ?? assert.fail();
  };
  const ended = of(one);
  const changed = editRun(ended.key, ended, { replaced: [one], removed: [], come: [leaving] });
  assert.ok(changed);
  assert.equal(executorsApart(ended, changed), undefined);
  const again = { ...leaving, resourceVersion: "3" };
  const later = editRun(ended.key, changed, { replaced: [leaving], removed: [], come: [again] });
  assert.equal(executorsApart(changed, later ?? assert.fail())?.length, 1);
});

test("a changed driver changes the application's row", () => {
  assert.equal(apart(driverFixture(), driverFixture({ resourceVersion: "2" })), undefined);
});

test("reports deleted pods, but not ended ones", () => {
  const ended = executor(2, { phase: "Failed", resourceVersion: "2" });
  const changes = {
    added: [executor(many + 1)],
    modified: [{ before: executor(2), after: ended }],
    removed: [1, 300].map((id) => ({ before: executor(id), last: executor(id) })),
  };
  const [old, now] = [model, updateApplications(model, changes).model].map(
    ({ applications }): Application | undefined => [...itemsIn(applications)][0],
  );
  assert.ok(old && now);
  const uids = (...ids: readonly number[]) => ids.map((id) => executor(id).uid);
  assert.deepEqual([...podsGone(old, now)], uids(1, 300));
  assert.deepEqual([...podsGone(now, old)], uids(many + 1));
});
