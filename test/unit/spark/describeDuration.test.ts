import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { describeDuration } from "../../../src/spark/describeDuration.ts";

describe("the text of a duration", () => {
  for (const [ms, text] of [
    [-5, "0.0 s"],
    [2134, "2.1 s"],
    [9_949, "9.9 s"],
    [9_960, "10 s"],
    [99_400, "99 s"],
    [119_700, "2 min 0 s"],
    [576_380, "9 min 36 s"],
    [5_999_600, "1 h 40 min"],
    [11_100_000, "3 h 5 min"],
  ] as const)
    test(`is ${text} for ${ms} ms`, () => {
      assert.equal(inEnglish(describeDuration(ms)), text);
    });
});
