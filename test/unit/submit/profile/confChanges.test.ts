import assert from "node:assert/strict";
import { test } from "node:test";
import { confChanges } from "../../../../src/spark/submit/profile/confChanges.ts";

test("confs differ in added, removed and changed keys, by name", () => {
  assert.deepEqual(
    confChanges(
      [
        ["spark.b", "1"],
        ["spark.same", "x"],
        ["spark.old", "1"],
      ],
      [
        ["spark.same", "x"],
        ["spark.b", "2"],
        ["spark.a", ""],
      ],
    ),
    [
      { key: "spark.a", before: undefined, after: "" },
      { key: "spark.b", before: "1", after: "2" },
      { key: "spark.old", before: "1", after: undefined },
    ],
  );
});
