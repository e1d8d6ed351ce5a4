import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { executorRowsOf, executorTable } from "../../../src/spark/diagnosis/executorTable.ts";
import { decodeUsage } from "../../../src/spark/diagnosis/executorUsage.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { containerFixture, driverFixture, executorFixture } from "../pods/podFixture.ts";

const MiB = 2 ** 20;

function applicationOf(...ids: readonly number[]) {
  const container = containerFixture({ requests: { cpu: "1" }, memoryLimit: "1408Mi" });
  const executors = ids.map((id) => executorFixture(id, { containers: [container] }));
  const { snapshot } = replacePods(emptySnapshot, [driverFixture(), ...executors]);
  const only = firstOf(buildApplications(snapshot).applications);
  assert.ok(only);
  return only;
}

const usage = (peakMiB: number, rest: object = {}) =>
  decodeUsage({
    ...{ totalCores: 2, memoryUsed: 3 * MiB, maxMemory: 366.3 * MiB },
    ...{ peakMemoryMetrics: { JVMHeapMemory: peakMiB * MiB }, ...rest },
  });

describe("the table of executors", () => {
  test("has the driver's numbers in human units, the largest user of memory first", () => {
    const byDriver = new Map([
      ["driver", usage(90)],
      ["1", usage(100, { totalGCTime: 2134, totalDuration: 576_380, activeTasks: 2 })],
      ["2", usage(300, { completedTasks: 1204, failedTasks: 3 })],
    ]);
    const rows = executorRowsOf(applicationOf(1, 2), { byDriver, byMetrics: undefined });
    const table = executorTable(rows, inEnglish).split("\n");
    assert.deepEqual(
      table.map((line) => line.trim().split(/ {2,}/)),
      [
        [
          ...["Executor", "CPU request", "Memory limit", "Peak heap", "Storage", "Storage limit"],
          ...["GC time", "Task time", "GC share", "Active", "Completed", "Failed"],
        ],
        [
          ...["2", "1.00", "1408.0 MiB", "300.0 MiB", "3.0 MiB", "366.3 MiB"],
          ...["0.0 s", "0.0 s", "-", "0", "1204", "3"],
        ],
        [
          ...["1", "1.00", "1408.0 MiB", "100.0 MiB", "3.0 MiB", "366.3 MiB"],
          ...["2.1 s", "9 min 36 s", "0 %", "2", "0", "0"],
        ],
        [
          ...["driver", "-", "-", "90.0 MiB", "3.0 MiB", "366.3 MiB"],
          ...["0.0 s", "0.0 s", "-", "0", "0", "0"],
        ],
      ],
    );
    assert.equal(new Set(table.map(({ length }) => length)).size, 1, "the columns are aligned");
  });

  test("sorts by metrics-server, which measures what the pod holds now", () => {
    const application = applicationOf(1, 2);
    const byMetrics = new Map([
      ["pi-exec-1", { cores: 0.52, memoryBytes: 800 * MiB }],
      ["pi-exec-2", { cores: 1, memoryBytes: 200 * MiB }],
    ]);
    const byDriver = new Map([
      ["1", usage(10)],
      ["2", usage(900)],
    ]);
    const rows = executorRowsOf(application, { byDriver, byMetrics });
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["1", "2", "driver"],
    );
    assert.match(executorTable(rows, inEnglish), /^1 +0\.52 +1\.00 +800\.0 MiB/m);
  });

  test("lists the pods if the driver does not answer", () => {
    const unknown = { byDriver: undefined, byMetrics: undefined };
    const rows = executorRowsOf(applicationOf(10, 9), unknown);
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["9", "10", "driver"],
    );
    assert.match(executorTable(rows, inEnglish), /^Executor +CPU request +Memory limit$/m);
  });

  test("names at most 1,000 pods and counts the others", () => {
    const linesOf = (executors: number): readonly string[] => {
      const ids = Array.from({ length: executors }, (_, index) => index + 1);
      const unknown = { byDriver: undefined, byMetrics: undefined };
      const rows = executorRowsOf(applicationOf(...ids), unknown);
      return executorTable(rows, inEnglish).split("\n");
    };
    assert.equal(linesOf(999).length, 1_001);
    assert.deepEqual(linesOf(1_000).slice(-2), ["", "1 more pod with less memory"]);
    const lines = linesOf(1_004);
    assert.deepEqual(lines.slice(-2), ["", "5 more pods with less memory"]);
    assert.equal(lines.length, 1_003);
  });
});
