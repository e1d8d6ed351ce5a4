import assert from "node:assert/strict";
import { test } from "node:test";
import type { Application } from "../../../src/spark/pods/application.ts";
import {
  buildApplications,
  emptyModel,
  updateApplications,
} from "../../../src/spark/pods/applications.ts";
import { isActive, isConfirmedActive, lostDriverOf } from "../../../src/spark/pods/isActive.ts";
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

/** Returns the application after only the driver's pod was deleted: its executors have no owner. */
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

test("executors are inactive after their driver pod was deleted, and the lost driver is known", () => {
  const left = without(driverFixture());
  assert.deepEqual([isActive(left), isConfirmedActive(left)], [false, false]);
  assert.deepEqual(lostDriverOf(left), ["spark-1", "uid-driver"]);
});

test("executors without an owner may be active; a Connect server's are never taken as lost", () => {
  const loose = only(modelOf(executorFixture(1, unowned)));
  assert.deepEqual([isActive(loose), isConfirmedActive(loose)], [true, false]);
  assert.equal(lostDriverOf(loose), undefined);
  const connect = { ...loose, origin: { ...loose.origin, isConnect: true } };
  assert.equal(isConfirmedActive(connect), true);
  const server = without(driverFixture());
  const restarting = { ...server, origin: { ...server.origin, isConnect: true } };
  assert.equal(lostDriverOf(restarting), undefined);
});

test("an application is active until its driver has ended", () => {
  const running = only(modelOf(driverFixture(), executorFixture(1, unowned)));
  assert.deepEqual([isActive(running), isConfirmedActive(running)], [true, true]);
  assert.equal(lostDriverOf(running), undefined);
  const over = only(modelOf(driverFixture({ phase: "Succeeded" }), executorFixture(1)));
  assert.deepEqual([isActive(over), isConfirmedActive(over)], [false, false]);
});
