import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "../../../src/base/difference.ts";

test("the difference of two texts is the smallest range between equal ends", () => {
  assert.deepEqual(difference("abcd", "abXd"), { start: 2, end: 3, text: "X" });
  assert.deepEqual(difference("ad", "abcd"), { start: 1, end: 1, text: "bc" });
  assert.deepEqual(difference("abcd", "ad"), { start: 1, end: 3, text: "" });
  assert.deepEqual(difference("same", "same"), { start: 4, end: 4, text: "" });
  // The common prefix and the common suffix must not overlap.
  assert.deepEqual(difference("aa", "aaa"), { start: 2, end: 2, text: "a" });
  assert.deepEqual(difference("", "a"), { start: 0, end: 0, text: "a" });
});
