import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../../src/spark/submit/differences.ts";

test("each difference from spark-submit stands in the list once", () => {
  const ids = differences.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
});
