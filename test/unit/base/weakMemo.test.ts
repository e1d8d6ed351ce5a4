import assert from "node:assert/strict";
import { test } from "node:test";
import { weakMemo } from "../../../src/base/weakMemo.ts";

test("computes once for each object and name, even if the result is undefined", () => {
  const calls: string[] = [];
  const memo = weakMemo((key: { readonly id: number }, name: string, note: string) => {
    calls.push(`${key.id} ${name} ${note}`);
    return name === "none" ? undefined : `${key.id} ${name}`;
  });
  const [first, second] = [{ id: 1 }, { id: 2 }];
  assert.equal(memo(first, "a", "x"), "1 a");
  assert.equal(memo(first, "a", "y"), "1 a");
  assert.equal(memo(first, "b", "x"), "1 b");
  assert.equal(memo(second, "a", "x"), "2 a");
  assert.equal(memo(second, "none", "x"), undefined);
  assert.equal(memo(second, "none", "x"), undefined);
  assert.deepEqual(calls, ["1 a x", "1 b x", "2 a x", "2 none x"]);
});
