import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  addToTotals,
  decodeAllocation,
  decodeReported,
  decodeReportedUsage,
  noTotals,
  targetIn,
} from "../../../src/spark/diagnosis/driverReport.ts";
import { decodePodUsage, decodeUsage } from "../../../src/spark/diagnosis/executorUsage.ts";

const amounts = {
  completedTasks: 1,
  failedTasks: 2,
  totalDuration: 3,
  totalGCTime: 4,
  totalInputBytes: 5,
  totalShuffleRead: 6,
  totalShuffleWrite: 7,
};
const once = {
  ...{ completedTasks: 1, failedTasks: 2, taskMs: 3, gcMs: 4 },
  ...{ inputBytes: 5, shuffleReadBytes: 6, shuffleWriteBytes: 7 },
};

describe("the totals of executors", () => {
  test("add the amounts of each executor, also of a removed one", () => {
    assert.deepEqual(addToTotals(noTotals, { id: "1", ...amounts }), once);
    const twice = addToTotals(once, { id: "2", isActive: false, ...amounts });
    const doubled = Object.entries(once).map(([name, amount]) => [name, 2 * amount]);
    assert.deepEqual(twice, Object.fromEntries(doubled));
  });

  test("ignore the driver, and amounts that are absent, negative or no numbers", () => {
    assert.equal(addToTotals(once, { id: "driver", ...amounts }), once);
    assert.deepEqual(addToTotals(once, { id: "1" }), once);
    const wrong = Object.fromEntries(Object.keys(amounts).map((name) => [name, -1]));
    assert.deepEqual(addToTotals(once, { id: "1", ...wrong, failedTasks: "3" }), once);
  });
});

describe("an executor in the driver's list", () => {
  for (const [item, expected] of [
    [
      { id: "1", isActive: true, activeTasks: 2 },
      { isActive: true, activeTasks: 2 },
    ],
    [{ id: "1" }, {}],
    [{ id: "1", isActive: "true" }, {}],
    [{ id: "1", removeReason: "idle" }, { reason: "idle" }],
    [{ id: "1", isExcluded: true }, { isExcluded: true }],
    [{ id: "1", isBlacklisted: true }, { isExcluded: true }],
    [{ id: "1", isExcluded: false, isBlacklisted: false }, {}],
  ] as const) {
    test(`is decoded from ${JSON.stringify(item)}`, () => {
      const none = { id: "1", isActive: false, isExcluded: false, reason: "", activeTasks: 0 };
      assert.deepEqual(decodeReported(item), { ...none, ...expected });
    });
  }

  test("is neither the driver nor an item without an id", () => {
    for (const item of [{ id: "driver" }, { id: 1 }, {}, undefined, "1", []]) {
      assert.equal(decodeReported(item), undefined);
    }
  });

  test("has usage while it is active", () => {
    const usage = decodeUsage({ totalCores: 2 });
    assert.deepEqual(decodeReportedUsage({ id: "1", isActive: true, totalCores: 2 }), ["1", usage]);
    assert.deepEqual(decodeReportedUsage({ id: "driver", isActive: true })?.[0], "driver");
    for (const item of [{ id: "1", isActive: false }, { id: "1" }, { isActive: true }, undefined]) {
      assert.equal(decodeReportedUsage(item), undefined);
    }
  });
});

describe("the usage of an executor", () => {
  test("has the amounts of its item", () => {
    const item = { totalCores: 1, activeTasks: 2, memoryUsed: 3, maxMemory: 4, maxTasks: 5 };
    const { cores, activeTasks, storageBytes, maxStorageBytes, maxTasks } = decodeUsage(item);
    assert.deepEqual(
      [cores, activeTasks, storageBytes, maxStorageBytes, maxTasks],
      [1, 2, 3, 4, 5],
    );
    const { taskMs, gcMs, completedTasks, failedTasks } = decodeUsage(amounts);
    assert.deepEqual([completedTasks, failedTasks, taskMs, gcMs], [1, 2, 3, 4]);
    assert.equal(decodeUsage({ totalCores: -1 }).cores, 0);
    assert.equal(decodeUsage({ totalCores: "4" }).cores, 0);
  });

  test("has the larger peak of heap with off-heap memory and of resident sets", () => {
    const heap = { JVMHeapMemory: 10, JVMOffHeapMemory: 5 };
    const resident = {
      ...{
        ProcessTreeJVMRSSMemory: 8,
        ProcessTreePythonRSSMemory: 7,
        ProcessTreeOtherRSSMemory: 1,
      },
    };
    const peaks = (peakMemoryMetrics: object): readonly unknown[] => {
      const { peakHeapBytes, peakBytes } = decodeUsage({ peakMemoryMetrics });
      return [peakHeapBytes, peakBytes];
    };
    assert.deepEqual(peaks({}), [0, 0]);
    assert.deepEqual(peaks(heap), [10, 15]);
    assert.deepEqual(peaks({ ...heap, ...resident }), [10, 16]);
    assert.deepEqual(peaks({ ...heap, JVMOffHeapMemory: -5 }), [10, 10]);
  });

  test("of a pod is the sum of its containers; undefined without containers", () => {
    const container = (cpu: unknown, memory: unknown): object => ({ usage: { cpu, memory } });
    const usageOf = (...containers: object[]): unknown => decodePodUsage({ containers });
    assert.deepEqual(usageOf(container("500m", "1Ki"), container("2", "2Ki")), {
      cores: 2.5,
      memoryBytes: 3072,
    });
    assert.deepEqual(usageOf(container("x", 1), {}), { cores: 0, memoryBytes: 0 });
    assert.equal(usageOf(), undefined);
    assert.equal(decodePodUsage(undefined), undefined);
  });
});

describe("the allocation of executors", () => {
  const allocationOf = (conf: Readonly<Record<string, string>>) =>
    decodeAllocation({ sparkProperties: Object.entries(conf) });
  const start = { minRegistered: 2, ratio: 0.8, maxWaitMs: 30_000 };

  test("is fixed by default, with two executors", () => {
    const two = { kind: "fixed", instances: 2, start };
    assert.deepEqual(allocationOf({}), two);
    assert.deepEqual(decodeAllocation(undefined), two);
    assert.deepEqual(allocationOf({ "spark.executor.instances": "many" }), two);
    assert.deepEqual(allocationOf({ "spark.dynamicAllocation.enabled": "false" }), two);
    assert.deepEqual(allocationOf({ "spark.executor.instances": "10" }), {
      ...{ kind: "fixed", instances: 10, start: { ...start, minRegistered: 8 } },
    });
    assert.deepEqual(decodeAllocation({ sparkProperties: [["spark.executor.instances"], 7] }), two);
  });

  test("is dynamic between its bounds, and starts with the largest of three numbers", () => {
    const dynamic = (conf: Readonly<Record<string, string>>) =>
      allocationOf({ "spark.dynamicAllocation.enabled": "true", ...conf });
    const none = { kind: "dynamic", min: 0, max: Infinity, target: undefined };
    assert.deepEqual(dynamic({}), { ...none, start: { ...start, minRegistered: 0 } });
    const bounds = {
      "spark.dynamicAllocation.minExecutors": "1",
      "spark.dynamicAllocation.maxExecutors": "9",
    };
    assert.deepEqual(dynamic(bounds), {
      ...{ ...none, min: 1, max: 9 },
      start: { ...start, minRegistered: 1 },
    });
    for (const key of ["spark.dynamicAllocation.initialExecutors", "spark.executor.instances"]) {
      assert.equal(dynamic({ ...bounds, [key]: "5" }).start?.minRegistered, 4, key);
    }
  });

  for (const [text, expected] of [
    ["45s", 45_000],
    ["2m", 120_000],
    ["2min", 120_000],
    ["1h", 3_600_000],
    ["1d", 86_400_000],
    ["500ms", 500],
    ["500", 500],
    [" 7S ", 7_000],
    ["soon", 30_000],
    ["5 weeks", 30_000],
    ["5constructor", 30_000],
  ] as const) {
    test(`waits ${expected} ms for "${text}"`, () => {
      const key = "spark.scheduler.maxRegisteredResourcesWaitingTime";
      assert.equal(allocationOf({ [key]: text }).start?.maxWaitMs, expected);
    });
  }

  test("needs at most all executors for its start", () => {
    const ratioOf = (ratio: string): unknown => {
      const { start: condition } = allocationOf({
        "spark.executor.instances": "10",
        "spark.scheduler.minRegisteredResourcesRatio": ratio,
      });
      return [condition?.ratio, condition?.minRegistered];
    };
    assert.deepEqual(ratioOf("0.25"), [0.25, 3]);
    assert.deepEqual(ratioOf("1.5"), [1, 10]);
    assert.deepEqual(ratioOf("half"), [0.8, 8]);
  });

  test("has the target of the metrics", () => {
    const gauges = (name: string, value: unknown): unknown => ({
      gauges: { "x.y": { value: 1 }, [name]: { value } },
    });
    const name = "spark-1.driver.ExecutorAllocationManager.executors.numberTargetExecutors";
    assert.equal(targetIn(gauges(name, 7)), 7);
    assert.equal(targetIn(gauges(name, "7")), undefined);
    assert.equal(targetIn(gauges(`${name}.more`, 7)), undefined);
    assert.equal(targetIn(undefined), undefined);
  });
});
