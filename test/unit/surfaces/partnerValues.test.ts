import assert from "node:assert/strict";
import { test } from "node:test";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { partnerValues } from "../../../src/spark/surfaces/fixes/partnerValues.ts";

test("proposes common values, then values of the type, and none for an unknown key", () => {
  const catalogue = openCatalogue();
  assert.deepEqual(partnerValues("spark.executor.instances", catalogue, "4.3"), ["2"]);
  assert.deepEqual(partnerValues("spark.speculation", catalogue, "4.3"), ["true", "false"]);
  const ofKinds: readonly (readonly [key: string, values: readonly string[]])[] = [
    ["spark.executor.cores", ["1", "10"]],
    ["spark.eventLog.rolling.maxFileSize", ["1g"]],
    ["spark.network.timeout", ["60s"]],
  ];
  for (const [key, values] of ofKinds) {
    assert.deepEqual(partnerValues(key, catalogue, "4.3"), values, key);
  }
  assert.deepEqual(partnerValues("spark.made.up", catalogue, "4.3"), []);
  assert.deepEqual(partnerValues("spark.app.name", catalogue, "4.3"), []);
});
