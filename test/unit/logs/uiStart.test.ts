import assert from "node:assert/strict";
import { test } from "node:test";
import { isUiStart } from "../../../src/spark/ui/uiStart.ts";

test("recognizes the line of a driver whose UI listens", () => {
  const at = "26/11/24 21:02:11 INFO Utils: Successfully started service";
  assert.equal(isUiStart(`${at} 'SparkUI' on port 4040.`), true);
  assert.equal(isUiStart(`${at} 'sparkDriver' on port 7078.`), false);
  assert.equal(isUiStart("Bound SparkUI to 0.0.0.0"), false);
});
