import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { describeRow } from "../../../src/spark/diagnosis/describe.ts";
import { diagnose } from "../../../src/spark/diagnosis/diagnose.ts";
import { stallInLog } from "../../../src/spark/diagnosis/starving.ts";
import { unscheduled, patientFixture, now } from "./patientFixture.ts";
import { driverFixture } from "../pods/podFixture.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";

function rowOf(pod: PodRecord, ...log: readonly string[]) {
  const { application } = patientFixture(pod);
  const logCause = stallInLog(log);
  const { row, subject } = describeRow(
    application,
    undefined,
    (one) => diagnose({ ...patientFixture(one.pod), application, logCause }),
    now,
  );
  return [inEnglish(row), subject?.pod.name];
}

test("the row of a running driver names why it gets no executors", () => {
  const rejected =
    'io.fabric8.kubernetes.client.KubernetesClientException: Failure. Message: pods "x" is forbidden: exceeded quota: team-a, requested: pods=1.';
  const waits = "WARN TaskSchedulerImpl: Initial job has not accepted any resources; check";
  const driver = driverFixture();
  assert.deepEqual(rowOf(driver, rejected, waits), [
    "running · quota exceeded: team-a · no executors",
    driver.name,
  ]);
  assert.deepEqual(rowOf(driver, waits), [
    "running · no executors for its job · no executors",
    driver.name,
  ]);
});

test("the row of an application whose executors wait is about one of them", () => {
  const pod = unscheduled("0/3 nodes are available: 3 Insufficient memory");
  assert.deepEqual(rowOf(pod), ["running · no node has 5.4 GiB free · 0 of 1 executor", pod.name]);
});
