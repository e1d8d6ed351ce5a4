import assert from "node:assert/strict";
import { test } from "node:test";
import { openCatalogue } from "../../../../src/spark/conf/catalogue/catalogue.ts";
import { decodeRow } from "../../../../src/spark/conf/catalogue/catalogueRow.ts";
import type { KeyFacts } from "../../../../src/spark/conf/catalogue/keyFacts.ts";
import {
  sparkVersions,
  type SparkVersion,
} from "../../../../src/spark/conf/catalogue/sparkVersions.ts";
import { judgeValue } from "../../../../src/spark/conf/values/judgeValue.ts";

const catalogue = openCatalogue();

const ownEntries = (version: SparkVersion): readonly KeyFacts[] =>
  catalogue.keys(version).filter(({ entry }) => entry?.isConnector === false);

const countIn = (count: (facts: KeyFacts) => boolean): readonly number[] =>
  sparkVersions.map((version) => ownEntries(version).filter(count).length);

// The expected counts come from reflection on the jars of 3.3.4, 3.4.4, 3.5.9, 4.0.5, 4.1.4, 4.2.1 and 4.3.0.
test("each version has as many entries as its jars", () => {
  const all = countIn(() => true);
  assert.deepEqual(all, [1056, 1121, 1154, 1313, 1454, 1542, 1652]);
  const shown = countIn(({ entry }) => entry?.isPublic === true);
  assert.deepEqual(shown, [776, 805, 820, 874, 918, 965, 1015]);
  const kubernetes = countIn(({ key }) => key.startsWith("spark.kubernetes."));
  assert.deepEqual(kubernetes, [69, 76, 76, 77, 84, 92, 96]);
  const booleans = countIn(({ entry }) => entry?.type.kind === "boolean");
  assert.deepEqual(booleans, [378, 423, 445, 552, 624, 679, 751]);
});

test("has as many deprecated and removed names as Spark's own tables", () => {
  const count = (of: (facts: KeyFacts) => unknown): readonly number[] =>
    sparkVersions.map(
      (version) => catalogue.keys(version).filter((key) => of(key) !== undefined).length,
    );
  assert.deepEqual(
    count(({ removed }) => removed),
    [8, 9, 9, 16, 16, 16, 16],
  );
  // The first summand counts the keys of Spark core, the second those of Spark SQL.
  assert.deepEqual(
    count(({ deprecated }) => deprecated),
    [24 + 16, 26 + 16, 27 + 17, 29 + 13, 29 + 14, 31 + 13, 31 + 13],
  );
});

test("every default is a valid value of its own entry", () => {
  for (const version of sparkVersions) {
    for (const { key, entry } of catalogue.keys(version)) {
      if (entry?.default === undefined) continue;
      assert.equal(judgeValue(entry, entry.default, version), undefined, `${key} in ${version}`);
    }
  }
});

test("the same version knows every key that a fact refers to", () => {
  for (const version of sparkVersions) {
    for (const { key, entry, deprecated, removed } of catalogue.keys(version)) {
      for (const other of [entry?.fallback, deprecated?.successor, removed?.successor]) {
        if (other !== undefined) assert.ok(catalogue.find(other, version), `${key}: ${other}`);
      }
    }
  }
});

test("facts depend on the version", () => {
  const defaultIn = (key: string): readonly (string | undefined)[] =>
    sparkVersions.map((version) => catalogue.find(key, version)?.entry?.default);
  assert.deepEqual(defaultIn("spark.kubernetes.allocation.batch.size"), [
    ...["5", "5", "5"],
    ...["10", "10"],
    ...["20", "20"],
  ]);
  assert.deepEqual(catalogue.versionsOf("spark.kubernetes.pyspark.pythonVersion"), [
    "3.3",
    "3.4",
    "3.5",
    "4.0",
  ]);
  assert.equal(catalogue.find("spark.no.such.key", "4.3"), undefined);
});

test("a row applies to the versions that it names", () => {
  const row = "spark.x\tv3.0.0\t+03\tky:MiB\t=1g\t+04\tki\t=1\tr[1,9]!5\t+08\taspark.y*d";
  assert.deepEqual(decodeRow(row, 1)?.entry?.type, {
    kind: "bytes",
    unit: "MiB",
    trims: true,
    range: undefined,
    choices: undefined,
    form: undefined,
  });
  assert.deepEqual(decodeRow(row, 4)?.entry?.type.range, {
    min: 1,
    max: 9,
    minExcluded: false,
    maxExcluded: false,
    holes: [5],
    step: undefined,
  });
  assert.deepEqual(decodeRow(row, 8)?.oldName, { of: "spark.y", takes: "double" });
  assert.equal(decodeRow("spark.x\t+01\tw", 2), undefined);
});

test("knows names that Spark reads without declaring them", () => {
  for (const key of [
    "spark.python.profile",
    "spark.python.worker.memory",
    "spark.master",
    "spark.app.name",
    "spark.local.dir",
    "spark.driver.defaultJavaOptions",
  ]) {
    const facts = catalogue.find(key, "4.3");
    assert.ok(facts, key);
    assert.equal(facts.entry, undefined);
  }
});
