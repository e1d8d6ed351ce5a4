import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../../../src/spark/submit/conf/differences.ts";

test("has unique ids of differences", () => {
  const ids = differences.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
});
