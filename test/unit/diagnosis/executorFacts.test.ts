import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type { DriverReport } from "../../../src/spark/diagnosis/driverReport.ts";
import { executorFacts, isUnregistered } from "../../../src/spark/diagnosis/executorFacts.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf, itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { containerFixture, driverFixture, executorFixture } from "../pods/podFixture.ts";

test("counts running pods until 20 s after the start of their containers, also after a slow image pull", () => {
  const startTime = "2026-01-02T03:00:00Z";
  const startedAt = "2026-01-02T03:05:00Z";
  const containers = [containerFixture({ state: { kind: "running", startedAt } })];
  const executors = [1, 2].map((id) => executorFixture(id, { startTime, containers }));
  const { snapshot } = replacePods(emptySnapshot, [driverFixture(), ...executors]);
  const application = firstOf(buildApplications(snapshot).applications) ?? assert.fail();
  const lineAt = (seconds: number): string | undefined => {
    const readAt = Date.parse(startedAt) + seconds * 1000;
    const none = { registered: new Set<string>(), removed: new Map(), allocation: undefined };
    return inEnglish(executorFacts(application, { ...none, readAt }, readAt).line);
  };
  assert.equal(lineAt(-60), "2 executors");
  assert.equal(lineAt(19), "2 executors");
  assert.equal(lineAt(20), "0 of 2 executors");
  const [executor = assert.fail()] = itemsIn(application.live);
  const isUnregisteredAt = (seconds: number, ...registered: readonly string[]): boolean => {
    const readAt = Date.parse(startedAt) + seconds * 1000;
    const report = { registered: new Set(registered), removed: new Map(), allocation: undefined };
    return isUnregistered(executor, { ...report, readAt });
  };
  assert.deepEqual(
    [isUnregisteredAt(19), isUnregisteredAt(20), isUnregisteredAt(20, "1", "2")],
    [false, true, false],
  );
});

test("counts executors only against the number that the driver requested", () => {
  const { snapshot } = replacePods(emptySnapshot, [
    driverFixture(),
    executorFixture(1, { phase: "Running" }),
  ]);
  const application = firstOf(buildApplications(snapshot).applications) ?? assert.fail();
  const now = Date.parse("2026-01-02T03:05:00Z");
  const report = { registered: new Set(["1"]), removed: new Map(), readAt: now };
  const line = (known?: DriverReport): string | undefined =>
    inEnglish(executorFacts(application, known, now).line);
  assert.equal(line(), "1 executor");
  assert.equal(line({ ...report, allocation: undefined }), "1 executor");
  const allocation = { kind: "fixed", instances: 2 } as const;
  assert.equal(line({ ...report, allocation }), "1 of 2 executors");
});
