import assert from "node:assert/strict";
import { test } from "node:test";
import {
  newestEventFirst,
  eventsSinceStart,
  type PodEventRecord,
} from "../../../src/spark/diagnosis/podEventRecord.ts";
import { driverFixture, endedFixture } from "../pods/podFixture.ts";

const notice = (reason: string, lastAt: string): PodEventRecord => ({
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
  const reasons = eventsSinceStart(all, pod).map(({ reason }) => reason);
  assert.deepEqual(reasons, ["Unreadable", "Evicted"]);
});

test("all events of a container that did not start are evidence", () => {
  assert.deepEqual(eventsSinceStart(all, driverFixture()), all);
  assert.equal(ended.state?.kind, "terminated");
  const never = { ...ended, state: { ...ended.state, startedAt: undefined } };
  assert.deepEqual(eventsSinceStart(all, driverFixture({ containers: [never] })), all);
});

test("notices come newest first, and those of one moment keep their order", () => {
  const [old, first, second] = [
    notice("Pulled", "2026-01-01T00:00:00Z"),
    notice("Created", "2026-01-02T00:00:00Z"),
    notice("Started", "2026-01-02T00:00:00Z"),
  ];
  assert.deepEqual([old, first, second].sort(newestEventFirst), [first, second, old]);
  assert.equal(newestEventFirst(first, second), 0);
});
