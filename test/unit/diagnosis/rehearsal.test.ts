import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRow } from "../../../src/spark/diagnosis/describe.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { rehearsalLabel } from "../../../src/spark/rehearsal.ts";
import { driverFixture, podFixture } from "../pods/podFixture.ts";

const acted = (pod: PodRecord): PodRecord => ({
  ...pod,
  labels: { ...pod.labels, [rehearsalLabel]: "true" },
});

function rowOf(...pods: readonly PodRecord[]): string | undefined {
  const { snapshot } = replacePods(emptySnapshot, pods);
  const application = firstOf(buildApplications(snapshot).applications);
  if (application === undefined) throw new Error("no application");
  return describeRow(application, undefined, () => [], 0).parts[0];
}

test("an application that is acted says so first, also when its driver has gone", () => {
  assert.equal(rowOf(acted(driverFixture()), acted(podFixture())), "rehearsal");
  assert.equal(rowOf(acted(podFixture())), "rehearsal");
  assert.notEqual(rowOf(driverFixture(), podFixture()), "rehearsal");
});
