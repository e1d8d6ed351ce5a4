import assert from "node:assert/strict";
import { test } from "node:test";
import { distinctNames } from "../../../src/editor/lifecycle/distinctNames.ts";

test("adds the id to applications with the same name, and to no other", () => {
  const named = [
    { name: "pi", id: "spark-1" },
    { name: "orders", id: "spark-2" },
    { name: "pi", id: "spark-3" },
  ];
  assert.deepEqual(distinctNames(named), ['"pi" (spark-1)', '"orders"', '"pi" (spark-3)']);
  assert.deepEqual(distinctNames(named.slice(0, 2)), ['"pi"', '"orders"']);
});
