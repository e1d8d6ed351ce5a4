import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EndedRuns } from "../../../src/editor/apps/endedRuns.ts";
import type { Application } from "../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { endedSo, failedDriver } from "../diagnosis/diagnosedFixture.ts";
import { driverFixture } from "../pods/podFixture.ts";

function applicationOf(pod: PodRecord): Application {
  const { applications } = buildApplications(replacePods(emptySnapshot, [pod]).snapshot);
  return firstOf(applications) ?? assert.fail();
}

const running = applicationOf(driverFixture());
const failed = (seconds: number, labels = {}): Application => {
  const pod = failedDriver(1, { seconds });
  return applicationOf({ ...pod, labels: { ...pod.labels, ...labels } });
};
const succeeded = applicationOf(
  driverFixture({
    phase: "Succeeded",
    containers: [endedSo(0, { seconds: 90, container: { name: "spark-kubernetes-driver" } })],
  }),
);

describe("ended runs", () => {
  const endsOf = (...states: readonly Application[]): number => {
    const runs = new EndedRuns();
    return states.reduce((count, state) => count + runs.take([state]).length, 0);
  };

  test("are those that took a minute or more and ended while they were watched", () => {
    assert.equal(endsOf(running, failed(60)), 1);
    assert.equal(endsOf(running, succeeded), 1);
    assert.equal(endsOf(running, failed(59)), 0);
    assert.equal(endsOf(failed(600)), 0);
  });

  test("are found once", () => {
    assert.equal(endsOf(running, running, failed(60), failed(60)), 1);
  });

  test("do not include those that a user ended", () => {
    assert.equal(endsOf(running, failed(600, { "spark-k8s/requested-end": "stopped" })), 0);
  });

  test("do not include forgotten ones", () => {
    const runs = new EndedRuns();
    runs.take([running]);
    runs.keep(() => false);
    assert.deepEqual(runs.take([failed(600)]), []);
  });
});
