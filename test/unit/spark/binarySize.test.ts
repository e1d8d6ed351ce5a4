import assert from "node:assert/strict";
import { test } from "node:test";
import { binarySize } from "../../../src/spark/binarySize.ts";

test("sizes have the unit that keeps their numbers below 1024", () => {
  assert.deepEqual([0, 1023, 1024, 900_000, 1_048_575, 1_048_576, 3 * 2 ** 30].map(binarySize), [
    "0 B",
    "1023 B",
    "1.0 KiB",
    "878.9 KiB",
    "1.0 MiB",
    "1.0 MiB",
    "3072.0 MiB",
  ]);
});
