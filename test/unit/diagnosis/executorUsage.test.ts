import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  decodePodUsage,
  decodeUsage,
  describePodUsage,
  describeUsage,
} from "../../../src/spark/diagnosis/executorUsage.ts";
import { containerFixture, podFixture } from "../pods/podFixture.ts";
import { plainEnglish } from "../../plainEnglish.ts";
import { inEnglish } from "../../../src/base/message.ts";

describe("the usage that a driver reports", () => {
  test("is tasks, the share of garbage collection, storage memory and the peak of the heap", () => {
    const usage = decodeUsage({
      ...{ totalCores: 4, activeTasks: 3, completedTasks: 120, failedTasks: 2 },
      ...{ totalDuration: 100_000, totalGCTime: 3_140 },
      ...{ memoryUsed: 12 * 2 ** 20, maxMemory: 366 * 2 ** 20 },
      peakMemoryMetrics: { JVMHeapMemory: 300 * 2 ** 20 },
    });
    assert.deepEqual(plainEnglish(describeUsage(usage)), {
      tasks: "3 active on 4 cores, 120 completed, 2 failed",
      gc: "3.1 s, 3 % of task time",
      storage: "12 MiB of 366 MiB",
      heap: "300 MiB",
    });
  });

  test("has no share before the first task and no peak before the first heartbeat", () => {
    assert.deepEqual(
      plainEnglish(describeUsage(decodeUsage({ totalCores: 1, maxMemory: 2 ** 30 }))),
      {
        tasks: "0 active on 1 core, 0 completed",
        gc: "0 s",
        storage: "0 MiB of 1 GiB",
        heap: undefined,
      },
    );
  });

  test("is 0 in fields that are no amounts", () => {
    const { activeTasks, gcMs } = decodeUsage({ activeTasks: "4", totalGCTime: -1 });
    assert.deepEqual([activeTasks, gcMs], [0, 0]);
    assert.equal(decodeUsage("no").cores, 0);
  });
});

describe("the usage that metrics-server reports", () => {
  const usage = decodePodUsage({
    containers: [
      { name: "main", usage: { cpu: "512345678n", memory: "819200Ki" } },
      { name: "proxy", usage: { cpu: "10m", memory: "1Mi" } },
    ],
  });

  test("is the sum of all containers, beside the request and the limit", () => {
    const requests = { cpu: "1" };
    const pod = podFixture({ containers: [containerFixture({ requests, memoryLimit: "1408Mi" })] });
    assert.deepEqual(plainEnglish(usage && describePodUsage(usage, pod)), {
      cpu: "0.52 cores, 1 core requested",
      memory: "801 MiB of 1.4 GiB",
    });
    const bare = podFixture({ containers: [containerFixture({ memoryLimit: undefined })] });
    assert.equal(usage && inEnglish(describePodUsage(usage, bare).memory), "801 MiB");
  });

  test("is undefined without containers", () => {
    assert.equal(decodePodUsage({}), undefined);
    assert.equal(decodePodUsage({ containers: [] }), undefined);
  });
});
