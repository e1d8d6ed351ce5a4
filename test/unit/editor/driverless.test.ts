import assert from "node:assert/strict";
import { test } from "node:test";
import { driverlessOf } from "../../../src/editor/apps/driverless.ts";
import { TreeNodes } from "../../../src/editor/apps/treeNode.ts";
import { buildApplications, findApplication } from "../../../src/spark/pods/applications.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, podFixture } from "../pods/podFixture.ts";

test("names the rows without a driver pod, and no executors", () => {
  const labels = { "spark-app-selector": "spark-2", "spark-role": "executor" };
  const orphan = podFixture({ uid: "u2", name: "etl-exec-1", labels });
  const { snapshot } = replacePods(emptySnapshot, [driverFixture(), podFixture(), orphan]);
  const model = buildApplications(snapshot);
  const session = { find: (key: string) => findApplication(model, key) };
  const nodes = new TreeNodes();
  const name = session.find("jobs/spark-2")?.name;
  assert.ok(name !== undefined);
  const rows = [
    nodes.application("jobs/spark-1"),
    nodes.application("jobs/spark-2"),
    nodes.executor("jobs/spark-2", "u2"),
    nodes.application("jobs/gone"),
    nodes.namespace("dev", "jobs"),
  ];
  assert.deepEqual(driverlessOf(session, rows), [name]);
});
