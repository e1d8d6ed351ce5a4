import assert from "node:assert/strict";
import { test } from "node:test";
import { keptOfGone } from "../../../src/editor/logs/keptOfGone.ts";
import type { KeptLog } from "../../../src/engine/ports/logs.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, executorFixture } from "../pods/podFixture.ts";

const gone: KeptLog = {
  ...{ context: "dev", namespace: "jobs", applicationId: "spark-1", application: "pi" },
  ...{ source: "executor 2", pod: "pi-exec-2", uid: "exec-2", container: "main" },
  ...{ lines: 1, bytes: 1, first: "", last: "", isCutOff: false },
};

test("finds the kept log of a deleted executor, for its application and cluster only", () => {
  const application = firstOf(
    buildApplications(replacePods(emptySnapshot, [driverFixture(), executorFixture(1)]).snapshot)
      .applications,
  );
  assert.ok(application);
  const others: readonly Partial<KeptLog>[] = [
    { uid: "exec-1" },
    { uid: "uid-driver" },
    { context: "prod" },
    { namespace: "etl" },
    { applicationId: "spark-2" },
  ];
  const kept = [gone, ...others.map((fields) => ({ ...gone, ...fields }))];
  assert.deepEqual(keptOfGone(kept, "dev", application), [gone]);
});
