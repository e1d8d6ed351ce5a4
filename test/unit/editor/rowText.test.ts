import { inEnglish, verbatim } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applicationText, podText } from "../../../src/editor/apps/rows/rowText.ts";
import { timesOf } from "../../../src/spark/pods/podTimes.ts";
import { ageRefreshMs, isAgeDue, isMinuteDue } from "../../../src/editor/apps/treeRefresh.ts";
import { strictestGuard } from "../../../src/engine/contextGuard.ts";
import type { Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";
import type { Application, SparkPod } from "../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { displayState } from "../../../src/spark/pods/displayState.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, executorFixture } from "../pods/podFixture.ts";

const cause: Diagnosis = {
  id: "D1",
  fact: verbatim("out of memory, limit 513 MiB"),
  what: verbatim(""),
  change: undefined,
  keys: [],
  told: undefined,
};
const now = Date.parse("2026-01-02T03:10:00Z");

function applicationOf(...pods: readonly PodRecord[]): Application {
  const { applications } = buildApplications(replacePods(emptySnapshot, pods).snapshot);
  const application = firstOf(applications);
  assert.ok(application);
  return application;
}

const described = (application: Application, diagnoses: readonly Diagnosis[] = []): string =>
  inEnglish(
    applicationText(application, { report: undefined, diagnose: () => diagnoses }, now, "5 min")
      .description,
  );

const podOf = (pod: PodRecord): SparkPod => ({ pod, state: displayState(pod) });

describe("application row", () => {
  test("begins with the state if nothing is wrong", () => {
    const running = applicationOf(
      driverFixture({ phase: "Running" }),
      executorFixture(1, { phase: "Running" }),
    );
    assert.equal(described(running), "running · 1 executor · 5 min");
  });

  test("begins with the cause and omits the state that the icon shows", () => {
    const failed = applicationOf(driverFixture({ phase: "Failed" }));
    assert.equal(described(failed, [cause]), "out of memory, limit 513 MiB · 5 min");
  });

  test("names the cause of waiting executors before their number", () => {
    const waiting = applicationOf(
      driverFixture({ phase: "Running" }),
      executorFixture(1, { phase: "Pending" }),
    );
    assert.match(
      described(waiting, [cause]),
      /^out of memory, limit 513 MiB · no executors \(1 pending\)/,
    );
  });

  test("shows no number of executors after the end, even if pods are left", () => {
    const over = applicationOf(
      driverFixture({ phase: "Succeeded" }),
      executorFixture(1, { phase: "Running" }),
    );
    assert.equal(described(over), "succeeded · 5 min");
    assert.equal(described(applicationOf(driverFixture({ phase: "Succeeded" }))), described(over));
  });

  test("shows no number of executors before the driver runs", () => {
    const waiting = applicationOf(driverFixture({ phase: "Pending" }));
    assert.equal(described(waiting, [cause]), "out of memory, limit 513 MiB · 5 min");
  });

  test("names its run profile after the facts, unless its name says the same", () => {
    const application = applicationOf(driverFixture({ phase: "Succeeded" }));
    const withProfile = (profile: string): string => {
      const known = { report: undefined, diagnose: () => [], profile };
      return inEnglish(applicationText(application, known, now, "5 min").description);
    };
    assert.equal(withProfile("orders on dev"), "succeeded · orders on dev · 5 min");
    assert.equal(withProfile(application.name), "succeeded · 5 min");
  });

  test("shows the running work in place of the state, after a cause, and not after the end", () => {
    const withWork = (application: Application, diagnoses: readonly Diagnosis[] = []): string => {
      const known = {
        report: undefined,
        diagnose: () => diagnoses,
        progress: verbatim("17 % of stage 12"),
      };
      return inEnglish(applicationText(application, known, now, "5 min").description);
    };
    const running = applicationOf(
      driverFixture({ phase: "Running" }),
      executorFixture(1, { phase: "Running" }),
    );
    assert.equal(withWork(running), "17 % of stage 12 · 1 executor · 5 min");
    const waiting = applicationOf(
      driverFixture({ phase: "Running" }),
      executorFixture(1, { phase: "Pending" }),
    );
    assert.match(withWork(waiting, [cause]), /^out of memory, limit 513 MiB · 17 % of stage 12/);
    const over = applicationOf(driverFixture({ phase: "Succeeded" }));
    assert.equal(withWork(over), "succeeded · 5 min");
  });

  test("keeps the state for screen readers", () => {
    const failed = applicationOf(driverFixture({ phase: "Failed" }));
    const known = { report: undefined, diagnose: () => [cause] };
    assert.match(
      inEnglish(applicationText(failed, known, now, "5 min").spoken),
      /^failed · out of memory/,
    );
  });
});

describe("pod row", () => {
  test("begins with the cause and has no node", () => {
    const pod = executorFixture(1, { phase: "Failed", nodeName: "node-1.example.org" });
    const { description, spoken } = podText(podOf(pod), cause, undefined, "7 s");
    assert.equal(inEnglish(description), "out of memory, limit 513 MiB · 7 s");
    assert.equal(inEnglish(spoken), "failed · out of memory, limit 513 MiB · 7 s");
  });

  test("shows the activity instead of the state while the pod runs", () => {
    const pod = podOf(executorFixture(1, { phase: "Running" }));
    assert.equal(
      inEnglish(podText(pod, undefined, verbatim("decommissioning"), "7 s").description),
      "decommissioning · 7 s",
    );
    const failed = podOf(executorFixture(1, { phase: "Failed" }));
    assert.equal(
      inEnglish(podText(failed, undefined, verbatim("decommissioning"), "7 s").description),
      "failed · 7 s",
    );
  });

  test("has no start time while no container of it has started", () => {
    const waiting = podOf(driverFixture({ phase: "Pending", startTime: "2026-01-02T03:00:00Z" }));
    assert.equal(timesOf(waiting).startedAt, undefined);
  });

  test("has no end time before the end", () => {
    const running = podOf(
      executorFixture(1, { phase: "Running", startTime: "2026-01-02T03:00:00Z" }),
    );
    assert.deepEqual(timesOf(running), { startedAt: "2026-01-02T03:00:00Z", endedAt: undefined });
  });
});

describe("ages", () => {
  const ticks = Array.from({ length: 720 }, (_, tick) => tick + 1);
  const count = (ageMs: number, isDue: typeof isAgeDue): number =>
    ticks.filter((tick) => isDue(ageMs, tick)).length;

  test("are redrawn at each tick in the first minute, then each minute, then each hour", () => {
    assert.equal(ageRefreshMs * ticks.length, 3_600_000);
    assert.equal(count(59_000, isAgeDue), 720);
    assert.equal(count(64_999, isAgeDue), 720);
    assert.equal(count(65_000, isAgeDue), 60);
    assert.equal(count(60 * 60_000, isAgeDue), 60);
    assert.equal(count(2 * 3_600_000, isAgeDue), 1);
  });

  test("of rows without seconds are redrawn once a minute from the start", () => {
    assert.equal(count(7_000, isMinuteDue), 60);
    assert.equal(count(2 * 3_600_000, isMinuteDue), 1);
  });

  test("are all redrawn when the view becomes visible", () => {
    assert.ok(isAgeDue(5 * 3_600_000, 0));
    assert.ok(isMinuteDue(5 * 3_600_000, 0));
    // A row whose age starts between two minute ticks is redrawn when it reaches its first minute.
    assert.ok(isMinuteDue(62_000, 7));
    assert.ok(!isMinuteDue(58_000, 7) && !isMinuteDue(66_000, 7));
  });
});

test("the status bar shows the strictest guard of the watched contexts", () => {
  assert.equal(strictestGuard(["none", "typeName", "readOnly"]), "readOnly");
  assert.equal(strictestGuard(["none", "typeName"]), "typeName");
  assert.equal(strictestGuard(["none"]), "none");
});
