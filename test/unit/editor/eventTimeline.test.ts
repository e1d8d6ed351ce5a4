import assert from "node:assert/strict";
import { test } from "node:test";
import { eventTimeline } from "../../../src/editor/describe/eventTimeline.ts";
import { decodeObjectEvent, type ObjectEvent } from "../../../src/spark/diagnosis/objectEvents.ts";

function event(lastTimestamp: string, name: string, fields: object = {}): ObjectEvent {
  const decoded = decodeObjectEvent({
    involvedObject: { kind: "Pod", uid: `uid-${name}`, name },
    lastTimestamp,
    reason: "Pulled",
    message: "token=hunter2",
    ...fields,
  });
  assert.ok(decoded);
  return decoded;
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 19);
const redact = (text: string): string => text.replace("hunter2", "***");

test("aligns the columns of one timeline, with redacted messages", () => {
  const lines = eventTimeline(
    [
      event("2026-01-02T03:04:06Z", "pi-exec-1", { type: "Warning", reason: "Failed", count: 4 }),
      event("2026-01-02T03:04:05Z", "pi-driver"),
    ],
    timeOf,
    redact,
  );
  assert.deepEqual(lines, [
    "03:04:05  Normal   Pulled  pi-driver  token=***",
    "03:04:06  Warning  Failed  pi-exec-1  token=*** (4×)",
  ]);
});

test("sorts times with and without microseconds", () => {
  const lines = eventTimeline(
    [
      event("2026-01-02T03:04:06Z", "later"),
      event("2026-01-02T03:04:05.900000Z", "between"),
      event("2026-01-02T03:04:05Z", "first"),
    ],
    timeOf,
    redact,
  );
  const names = lines.map((line) => /first|between|later/.exec(line)?.[0]);
  assert.deepEqual(names, ["first", "between", "later"]);
});

test("keeps the order of an object's events that are listed within a second", () => {
  const lines = eventTimeline(
    [
      event("2026-01-02T03:04:05.400000Z", "pi-driver", { reason: "Scheduled" }),
      event("2026-01-02T03:04:05Z", "pi-driver", { reason: "Pulled" }),
      event("2026-01-02T03:04:05Z", "pi-driver", { reason: "Started" }),
      event("2026-01-02T03:04:04Z", "pi-driver", { reason: "Queued" }),
    ],
    timeOf,
    redact,
  );
  const reasons = lines.map((line) => /Queued|Scheduled|Pulled|Started/.exec(line)?.[0]);
  assert.deepEqual(reasons, ["Queued", "Scheduled", "Pulled", "Started"]);
});

test("shows the kind of other objects, and keeps an unreadable time", () => {
  const claim = event("soon", "data", {
    involvedObject: { kind: "PersistentVolumeClaim", uid: "u", name: "data" },
    message: " a\n b ",
  });
  assert.deepEqual(eventTimeline([claim], timeOf, redact), [
    "soon  Normal  Pulled  PersistentVolumeClaim data  a b",
  ]);
});
