import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { distance } from "../../../src/spark/conf/nearest/distance.ts";
import { keyFinder } from "../../../src/spark/conf/nearest/keys.ts";

const catalogue = openCatalogue();
const keys = keyFinder(catalogue, "4.3");

const check = (key: string, ...expected: readonly string[]): void => {
  assert.deepEqual(keys.nearest(key), expected, key);
};

test("finds the key for a typing error", () => {
  check("spark.excutor.cores", "spark.executor.cores");
  check("spark.executor.memroy", "spark.executor.memory");
  check("spark.kubernets.namespace", "spark.kubernetes.namespace");
  check("spark.sql.shuffle.partition", "spark.sql.shuffle.partitions");
  check("spark.dynamicAllocation.enable", "spark.dynamicAllocation.enabled");
});

test("ignores case, dots and dashes", () => {
  check("spark.dynamicallocation.minexecutors", "spark.dynamicAllocation.minExecutors");
  check("spark.yarn.executor.memory.overhead", "spark.yarn.executor.memoryOverhead");
  check("spark.loglevel", "spark.log.level");
  check("spark.master.ui-port", "spark.master.ui.port");
});

test("finds a missing or additional component", () => {
  check("spark.connect.execute.reattachable", "spark.connect.execute.reattachable.enabled");
  check("spark.driver.cores.x", "spark.driver.cores");
  check(
    "spark.sql.adaptive.fetchShuffleBlocksInBatch.enabled",
    "spark.sql.adaptive.fetchShuffleBlocksInBatch",
  );
});

test("suggests the right key for names that people make up", () => {
  check("spark.kubernetes.image", "spark.kubernetes.container.image");
  check("spark.kubernetes.executor.request.memory", "spark.executor.memory");
  check("spark.driverEnv.PYTHONPATH", "spark.kubernetes.driverEnv.PYTHONPATH");
});

test("names with a user-defined part are corrected around it", () => {
  check(
    "spark.kubernetes.driver.volumes.hostPath.data.mount.pth",
    "spark.kubernetes.driver.volumes.hostPath.data.mount.path",
  );
  check("spark.kubernetes.driver.lable.team", "spark.kubernetes.driver.label.team");
  check("spark.executor.resource.gpu.amout", "spark.executor.resource.gpu.amount");
});

test("suggests nothing if no key is near", () => {
  check("spark.foo");
  check("spark.connect.grpc.binding.host");
  check("spark.armada.driver.limit.cores");
  check("spark.sql.adaptive.optimizeSkewedJoin.enabled");
  check(`spark.${"a".repeat(300)}`);
});

test("suggests only names of the given version", () => {
  assert.deepEqual(keyFinder(catalogue, "3.3").nearest("spark.mesos.corse"), [
    "spark.mesos.coarse",
  ]);
  check("spark.mesos.corse");
});

test("distinguishes namespaces of other projects from Spark's own", () => {
  for (const key of ["spark.worker.memory", "spark.kubernetes.a.b.c"]) {
    assert.equal(keys.isOwnPlace(key), true, key);
  }
  for (const key of [
    "spark.rapids.sql.enabled",
    "spark.sql.iceberg.x",
    "spark.sql.adaptive.x",
    "spark.sql.parquet.fs.optimized.committer.optimization-enabled",
    "spark.shuffle.consolidateFiles",
    "spark.databricks.delta.x",
  ]) {
    assert.equal(keys.isOwnPlace(key), false, key);
  }
});

test("equals the full Damerau-Levenshtein table up to the limit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });
  fc.assert(
    fc.property(word, word, fc.nat(4), (a, b, limit) => {
      const expected = plainDistance(a, b);
      assert.equal(distance(a, b, limit), expected <= limit ? expected : undefined);
    }),
    { numRuns: 500 },
  );
});

function plainDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const isSwap = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return Math.min(
    plainDistanceFrom(a, b, 1, 0) + 1,
    plainDistanceFrom(a, b, 0, 1) + 1,
    plainDistanceFrom(a, b, 1, 1) + (a[0] === b[0] ? 0 : 1),
    isSwap ? plainDistanceFrom(a, b, 2, 2) + 1 : Infinity,
  );
}

const plainDistanceFrom = (a: string, b: string, skipA: number, skipB: number): number =>
  plainDistance(a.slice(skipA), b.slice(skipB));
