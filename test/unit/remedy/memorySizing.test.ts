import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  fittingHeap,
  heapWithin,
  mebibytesOf,
  memoryParts,
  nextHeap,
  nextSize,
  sizeText,
  smallestHeap,
  totalOf,
} from "../../../src/spark/remedy/memorySizing.ts";

type Conf = Readonly<Record<string, string>>;
const mapOf = (conf: Conf) => new Map(Object.entries(conf));
const mib = 2 ** 20;
/** Returns a node on which a pod may request at most `mebibytes`. */
const nodeWithRoom = (mebibytes: number, share = 0.9) => ({
  cores: 4,
  memoryBytes: Math.ceil((mebibytes * mib) / share),
});
const executorMemory = (memory: string, overhead?: string) =>
  mapOf({
    "spark.executor.memory": memory,
    ...(overhead === undefined ? {} : { "spark.executor.memoryOverhead": overhead }),
  });

describe("the parts of a memory limit", () => {
  const conf = {
    "spark.executor.memory": "2g",
    "spark.driver.memory": "3g",
    "spark.executor.pyspark.memory": "300m",
    "spark.memory.offHeap.enabled": "true",
    "spark.memory.offHeap.size": "200m",
  };
  const ofExecutor = { heap: 2048, overhead: 384, offHeap: 200, python: 0 };

  test("of an executor contain off-heap memory, and Python's memory in a Python application", () => {
    assert.deepEqual(memoryParts(mapOf(conf), "executor", "4.3"), ofExecutor);
    const python = mapOf({ ...conf, "spark.kubernetes.resource.type": "python" });
    const parts = { ...ofExecutor, overhead: 819, python: 300 };
    assert.deepEqual(memoryParts(python, "executor", "4.3"), parts);
    assert.equal(totalOf(parts), 2048 + 819 + 200 + 300);
  });

  test("of a driver are heap and overhead; languages other than Java need more overhead", () => {
    const ofKind = (kind: string) =>
      memoryParts(mapOf({ ...conf, "spark.kubernetes.resource.type": kind }), "driver", "4.3");
    const driver = { heap: 3072, offHeap: 0, python: 0 };
    assert.deepEqual(ofKind("java"), { ...driver, overhead: 384 });
    assert.deepEqual(ofKind("other"), { ...driver, overhead: 384 });
    assert.deepEqual(ofKind("python"), { ...driver, overhead: 1228 });
    assert.deepEqual(ofKind("r"), { ...driver, overhead: 1228 });
  });
});

describe("the next size of a part", () => {
  const parts = { heap: 1024, overhead: 384, offHeap: 100, python: 640 };
  // All parts of the container's memory except the overhead have 1764 MiB.
  const other = 1024 + 100 + 640;

  test("is twice the present one, or 512 MiB more, in steps of 128 MiB", () => {
    const next = (overhead: number) => nextSize("overhead", { ...parts, overhead }, undefined);
    assert.deepEqual([0, 384, 500, 512, 640, 1000, 1024].map(next), [
      ...[512, 896, 896, 1024, 1280, 1920, 2048],
    ]);
    assert.equal(nextSize("python", parts, undefined), 1280);
  });

  test("is limited by the room on the node", () => {
    const next = (room: number) => nextSize("overhead", parts, nodeWithRoom(room));
    assert.equal(next(other + 896), 896);
    assert.equal(next(other + 895), 768);
    assert.equal(next(other + 512), 512);
    assert.equal(next(other + 511), undefined);
    assert.equal(next(other), undefined);
  });
});

describe("the next heap", () => {
  const next = (memory: string, overhead?: string, room?: number) =>
    nextHeap(
      executorMemory(memory, overhead),
      "executor",
      "4.3",
      room === undefined ? undefined : nodeWithRoom(room),
    );

  test("is twice the present one without a known node", () => {
    assert.deepEqual([next("1g"), next("3g"), next("700m")], [2048, 6144, 1408 - 128]);
  });

  test("is lowered by an eighth of the heap, at least 128 MiB, until the pod fits", () => {
    assert.equal(next("8g", "1g", 17 * 1024), 16_384);
    assert.equal(next("8g", "1g", 17 * 1024 - 1), 15_360);
    assert.equal(next("8g", "1g", 10 * 1024), 9216);
    assert.equal(next("8g", "1g", 10 * 1024 - 1), undefined);
    assert.equal(next("512m", "1g", 1024 + 640), 640);
    assert.equal(next("512m", "1g", 1024 + 639), undefined);
  });

  test("leaves room for an overhead that is a share of the heap", () => {
    // 8 GiB plus an overhead of 10 % is 9011 MiB.
    assert.equal(next("4g", undefined, 9011), 8192);
    assert.equal(next("4g", undefined, 9010), 7680);
  });
});

describe("the largest heap within a limit", () => {
  const within = (memory: string, room: number, overhead = "1g") =>
    heapWithin(executorMemory(memory, overhead), "executor", "4.3", room);

  test("is in steps of 128 MiB below the first heap that fits, from the limit down by 5 %", () => {
    // The tested heap sizes are 4096, 3891, 3696, 3511, 3335, 3168 and 3009 MiB.
    assert.equal(within("8g", 4096), 2944);
    assert.equal(within("4g", 4096 + 1023), 3840);
    assert.equal(within("4g", 3511 + 1024), 3456);
  });

  test("is undefined if the present heap fits", () => {
    assert.equal(within("4g", 5120), undefined);
    assert.equal(within("4g", 5119), 3840);
  });

  test("is undefined if Spark would not start with it", () => {
    // The tested heap sizes below 600 MiB are 570, 541, 513 and 512 MiB. Spark needs 450 MiB, rounded up to 512.
    assert.equal(within("600m", 513 + 1024), 512);
    assert.equal(within("600m", 512 + 1024), 512);
    assert.equal(within("600m", 511 + 1024), undefined);
    assert.equal(within("600m", 462 + 1024), undefined);
    assert.equal(within("512m", 512 + 1023), undefined);
  });

  test("is that of two fifths of a node", () => {
    const conf = executorMemory("4g", "1g");
    const fitting = (room: number) => fittingHeap(conf, "executor", "4.3", nodeWithRoom(room, 0.4));
    assert.equal(fitting(5120), undefined);
    assert.equal(fitting(5119), 3840);
    assert.equal(fittingHeap(conf, "executor", "4.3", undefined), undefined);
  });
});

describe("a size", () => {
  test("is printed in GiB if it has no smaller part", () => {
    assert.deepEqual([0, 512, 1023, 1024, 1025, 3072].map(sizeText), [
      ...["0g", "512m", "1023m", "1g", "1025m", "3g"],
    ]);
    assert.equal(smallestHeap, 512);
  });

  test("is parsed to mebibytes, rounded up, and is in bytes without a unit", () => {
    const sizes = ["1g", "512m", "1", "1048576", "1048577", "1k", "0", "2Gi", "x", ""];
    assert.deepEqual(sizes.map(mebibytesOf), [
      ...[1024, 512, 1, 1, 2, 1, 0, 2048, undefined, undefined],
    ]);
  });
});
