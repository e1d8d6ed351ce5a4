import assert from "node:assert/strict";
import { test } from "node:test";
import type { Application } from "../../../src/spark/pods/application.ts";
import {
  buildApplications,
  emptyModel,
  updateApplications,
} from "../../../src/spark/pods/applications.ts";
import {
  hasExecutorSets,
  podsRemovedByScaleDown,
  possibleSetsOf,
} from "../../../src/spark/pods/executorSets.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, podFixture } from "./podFixture.ts";

function applicationOf(...names: readonly string[]): Application {
  const executors = names.map((name, index) => {
    const labels = { ...podFixture().labels, "spark-exec-id": String(index + 1) };
    return podFixture({ uid: `uid-${name}`, name, labels });
  });
  const { snapshot } = replacePods(emptySnapshot, [driverFixture(), ...executors]);
  const only = firstOf(buildApplications(snapshot).applications);
  assert.ok(only);
  return only;
}

const set = { kind: "StatefulSet", name: "spark-s-spark-1-0", profile: "0" } as const;

test("scaling down a StatefulSet deletes the highest ordinals, also above nine", () => {
  const ordinals = [10, 2, 0, 9, 1];
  const application = applicationOf(
    ...ordinals.map((ordinal) => `spark-s-spark-1-0-${ordinal}`),
    "spark-s-spark-1-1-7",
  );
  assert.deepEqual(podsRemovedByScaleDown(application, set, 2), [
    ...["spark-s-spark-1-0-2", "spark-s-spark-1-0-9", "spark-s-spark-1-0-10"],
  ]);
  assert.deepEqual(podsRemovedByScaleDown(application, set, 11), []);
});

test("scaling down a Deployment deletes unknown executors", () => {
  const application = applicationOf("spark-d-spark-1-0-7b9-x2x");
  const deployment = { kind: "Deployment", name: "spark-d-spark-1-0", profile: "0" } as const;
  assert.deepEqual(podsRemovedByScaleDown(application, deployment, 0), []);
});

test("detects executor sets by the names of their pods", () => {
  assert.equal(hasExecutorSets(applicationOf("spark-s-spark-1-0-0")), true);
  assert.equal(hasExecutorSets(applicationOf("spark-d-spark-1-0-7b9-x2x")), true);
  assert.equal(hasExecutorSets(applicationOf("pi-exec-1")), false);
  assert.equal(hasExecutorSets(applicationOf()), false);
});

test("detects executor sets after their last executor was deleted, for each resource profile", () => {
  const labels = { ...podFixture().labels, "spark-exec-resourceprofile-id": "3" };
  const executor = podFixture({ uid: "uid-1", name: "spark-s-spark-1-3-0", labels });
  const added = [driverFixture(), executor];
  const { model } = updateApplications(emptyModel, { added, modified: [], removed: [] });
  const removed = [{ before: executor, last: executor }];
  const after = updateApplications(model, { added: [], modified: [], removed }).model;
  const application = firstOf(after.applications);
  assert.ok(application);
  assert.equal(application.live.size, 0);
  assert.equal(hasExecutorSets(application), true);
  assert.ok(possibleSetsOf(application).some(({ name }) => name === "spark-s-spark-1-3"));
});
