import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodePodEvent,
  describeEvent,
  inOrderOfTime,
} from "../../../src/spark/diagnosis/podEvents.ts";

const event = (fields: Readonly<Record<string, unknown>>): unknown => ({
  involvedObject: { kind: "Pod", name: "pi-exec-1", uid: "u1" },
  type: "Warning",
  reason: "FailedScheduling",
  message: "0/3 nodes are available:\n3 Insufficient cpu.",
  lastTimestamp: "2026-01-02T03:04:05Z",
  count: 4,
  ...fields,
});

test("an event is one line, whichever of its times it has", () => {
  const lines = [
    event({}),
    event({ lastTimestamp: null, eventTime: "2026-01-02T03:04:04.5Z", count: undefined }),
    event({ series: { count: 7, lastObservedTime: "2026-01-02T03:04:06Z" } }),
    event({ involvedObject: { kind: "Node", name: "n", uid: "u2" } }),
    event({ lastTimestamp: null, metadata: { creationTimestamp: "2026-01-02T03:04:03Z" } }),
    "no event",
  ].flatMap((json) => decodePodEvent(json) ?? []);
  const words =
    "Warning  FailedScheduling  pi-exec-1: 0/3 nodes are available: 3 Insufficient cpu.";
  assert.deepEqual(inOrderOfTime(lines).map(describeEvent), [
    `2026-01-02T03:04:03Z  ${words} (4 times)`,
    `2026-01-02T03:04:04.5Z  ${words}`,
    `2026-01-02T03:04:05Z  ${words} (4 times)`,
    `2026-01-02T03:04:06Z  ${words} (7 times)`,
  ]);
});
