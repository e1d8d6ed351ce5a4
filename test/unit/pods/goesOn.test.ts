import assert from "node:assert/strict";
import { test } from "node:test";
import type { Application } from "../../../src/spark/pods/application.ts";
import {
  buildApplications,
  emptyModel,
  updateApplications,
} from "../../../src/spark/pods/applications.ts";
import { goesOn, isSeenToGoOn, lostDriverOf } from "../../../src/spark/pods/goesOn.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, executorFixture } from "./podFixture.ts";

const unowned = { ownerUid: undefined, ownerPod: undefined };

function only(model = emptyModel): Application {
  const [application] = itemsIn(model.applications);
  return application ?? assert.fail("no application");
}

const modelOf = (...pods: readonly PodRecord[]) =>
  buildApplications(replacePods(emptySnapshot, pods).snapshot);

/** A driver's pod is deleted alone: its executors lose their owner, and it goes. */
function without(driver: PodRecord): Application {
  const [owned, loose] = [executorFixture(1), executorFixture(1, unowned)];
  return only(
    updateApplications(modelOf(driver, owned), {
      added: [],
      modified: [{ before: owned, after: loose }],
      removed: [{ before: driver, last: driver }],
    }).model,
  );
}

test("executors whose driver's pod was deleted alone do not go on, and whose they were is known", () => {
  const left = without(driverFixture());
  assert.deepEqual([goesOn(left), isSeenToGoOn(left)], [false, false]);
  assert.deepEqual(lostDriverOf(left), ["spark-1", "uid-driver"]);
});

test("executors that nobody owns may go on, unseen; of a Connect server nobody takes them for left", () => {
  const loose = only(modelOf(executorFixture(1, unowned)));
  assert.deepEqual([goesOn(loose), isSeenToGoOn(loose)], [true, false]);
  assert.equal(lostDriverOf(loose), undefined);
  const connect = { ...loose, origin: { ...loose.origin, isConnect: true } };
  assert.equal(isSeenToGoOn(connect), true);
  const server = without(driverFixture());
  const restarting = { ...server, origin: { ...server.origin, isConnect: true } };
  assert.equal(lostDriverOf(restarting), undefined);
});

test("what has a driver goes on until that has ended, and is seen to", () => {
  const running = only(modelOf(driverFixture(), executorFixture(1, unowned)));
  assert.deepEqual([goesOn(running), isSeenToGoOn(running)], [true, true]);
  assert.equal(lostDriverOf(running), undefined);
  const over = only(modelOf(driverFixture({ phase: "Succeeded" }), executorFixture(1)));
  assert.deepEqual([goesOn(over), isSeenToGoOn(over)], [false, false]);
});
