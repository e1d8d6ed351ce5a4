import assert from "node:assert/strict";
import { test } from "node:test";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { changesSince, podSituationOf } from "../../../src/spark/timeline/podChanges.ts";
import { podFixture } from "../pods/podFixture.ts";

const sparkPod = (pod: PodRecord) => ({ pod, state: displayState(pod) });
const now = Date.parse("2026-01-02T03:05:00Z");
const of = { name: "executor 1", now };

const unscheduled = sparkPod(
  podFixture({
    phase: "Pending",
    nodeName: undefined,
    containers: [],
    conditions: [
      {
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message: "0/1 nodes are available: 1 Insufficient cpu.",
      },
    ],
  }),
);

test("a pod in the same situation has no change", () => {
  const running = sparkPod(podFixture());
  assert.deepEqual(changesSince(podSituationOf(running), running, of), []);
  assert.deepEqual(changesSince(podSituationOf(unscheduled), unscheduled, of), []);
});

test("a pending pod with another reason has a change", () => {
  const [change, ...more] = changesSince({ phase: "pending", reason: "image" }, unscheduled, of);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [change?.from, change?.fromReason, change?.to, change?.reason],
    ["pending", "image", "pending", podSituationOf(unscheduled).reason],
  );
  assert.notEqual(change?.reason, "image");
});
