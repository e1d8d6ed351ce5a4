import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRow } from "../../../src/spark/diagnosis/describe.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { simulationLabel } from "../../../src/spark/simulation.ts";
import { driverFixture, podFixture } from "../pods/podFixture.ts";

const simulated = (pod: PodRecord): PodRecord => ({
  ...pod,
  labels: { ...pod.labels, [simulationLabel]: "true" },
});

function rowOf(...pods: readonly PodRecord[]): string | undefined {
  const { snapshot } = replacePods(emptySnapshot, pods);
  const application = firstOf(buildApplications(snapshot).applications);
  if (application === undefined) throw new Error("no application");
  return inEnglish(describeRow(application, undefined, () => [], 0).row).split(" · ")[0];
}

test("the row of a simulated application starts with the mark, with and without a driver", () => {
  assert.equal(rowOf(simulated(driverFixture()), simulated(podFixture())), "simulated");
  assert.equal(rowOf(simulated(podFixture())), "simulated");
  assert.notEqual(rowOf(driverFixture(), podFixture()), "simulated");
});
