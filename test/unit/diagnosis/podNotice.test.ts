import assert from "node:assert/strict";
import { test } from "node:test";
import { noticesSinceStart, type PodNotice } from "../../../src/spark/diagnosis/podNotice.ts";
import { driverFixture, endedFixture } from "../pods/podFixture.ts";

const notice = (reason: string, lastAt: string): PodNotice => ({
  ...{ reason, lastAt, message: "", isWarning: true, count: 1, from: "kubelet" },
});
const all = [
  notice("FailedMount", "2026-01-02T03:04:01Z"),
  notice("Unreadable", "yesterday"),
  notice("Evicted", "2026-01-02T03:05:00Z"),
];
const ended = endedFixture(1, { name: "spark-kubernetes-driver" });
const startedAt = "2026-01-02T03:04:02Z";

test("an event before the start of an ended container is no evidence of its end", () => {
  assert.equal(ended.state?.kind, "terminated");
  const pod = driverFixture({ containers: [{ ...ended, state: { ...ended.state, startedAt } }] });
  const reasons = noticesSinceStart(all, pod).map(({ reason }) => reason);
  assert.deepEqual(reasons, ["Unreadable", "Evicted"]);
});

test("all events of a container that did not start are evidence", () => {
  assert.deepEqual(noticesSinceStart(all, driverFixture()), all);
  assert.equal(ended.state?.kind, "terminated");
  const never = { ...ended, state: { ...ended.state, startedAt: undefined } };
  assert.deepEqual(noticesSinceStart(all, driverFixture({ containers: [never] })), all);
});
