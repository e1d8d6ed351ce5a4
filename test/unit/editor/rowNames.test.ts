import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf } from "../../../src/editor/apps/rowNames.ts";
import { TreeNodes } from "../../../src/editor/apps/treeNode.ts";
import { buildApplications, findApplication } from "../../../src/spark/pods/applications.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot, findPod } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, podFixture } from "../pods/podFixture.ts";

test("rows of live objects have the names that other tools use; lists and deleted pods have none", () => {
  const { snapshot } = replacePods(emptySnapshot, [driverFixture(), podFixture()]);
  const model = buildApplications(snapshot);
  const [application] = itemsIn(model.applications);
  assert.ok(application);
  const { key } = application;
  const nodes = new TreeNodes();
  const rows = [
    nodes.namespace("dev", "jobs"),
    nodes.application(key),
    nodes.driver(key, "uid-driver"),
    nodes.endedExecutors(key),
    nodes.executor(key, "uid-1"),
    nodes.executor(key, "uid-gone"),
    nodes.application("gone"),
  ];
  const known = {
    find: (wanted: string) => findApplication(model, wanted),
    findPod: (_key: string, uid: string) => findPod(snapshot, uid),
  };
  assert.deepEqual(namesOf(known, rows), [
    "jobs",
    "spark-1",
    "pi-0123456789abcdef-driver",
    "pi-exec-1",
  ]);
});
