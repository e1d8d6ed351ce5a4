import assert from "node:assert/strict";
import { test } from "node:test";
import {
  filesBelow,
  placesAbove,
  placesOf,
  settingAt,
  winnerOver,
} from "../../../src/spark/surfaces/places.ts";

const conf = "spark.a 1\nspark.b 2\nspark.a 3\n";
const command = "spark-submit --properties-file a.conf --executor-cores 2 --conf spark.a=1 a.py";

test("finds a setting at its key and its value, and the setting that overrides it", () => {
  assert.equal(settingAt(conf, "properties", 3)?.key, "spark.a");
  assert.equal(settingAt(conf, "properties", 18)?.key, "spark.b");
  assert.deepEqual(winnerOver(conf, "properties", 3)?.keySpan, { start: 20, end: 27 });
  assert.equal(winnerOver(conf, "properties", 22), undefined);
  assert.equal(settingAt("# spark.a", "properties", 4), undefined);
});

test("finds all places of a key, and marks options that set it", () => {
  assert.equal(placesOf(conf, "properties", "spark.a").length, 2);
  const [option] = placesOf(command, "command", "spark.executor.cores");
  assert.equal(option?.isWritten, false);
  assert.equal(placesOf(command, "command", "spark.a")[0]?.isWritten, true);
});

test("a command counts more than the properties file that it names", () => {
  assert.deepEqual(filesBelow(command, "command", command.indexOf("spark.a")), ["a.conf"]);
  const [above] = placesAbove(command, "command", "spark.a");
  assert.deepEqual(above?.files, ["a.conf"]);
  assert.deepEqual(placesAbove(command, "command", "spark.b"), []);
});
