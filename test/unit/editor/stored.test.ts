import assert from "node:assert/strict";
import { test } from "node:test";
import { storedMember } from "../../../src/editor/stored.ts";

const memory = (value: unknown) => ({ get: () => value as never });

test("a stored member is found by its own name only", () => {
  const stored = memory({ "etl/a": 1 });
  assert.equal(storedMember(stored, "key", "etl/a"), 1);
  for (const name of ["etl/b", "toString", "__proto__"]) {
    assert.equal(storedMember(stored, "key", name), undefined, name);
  }
});

test("a stored value of another type has no members", () => {
  for (const value of [undefined, "text", ["etl/a"]]) {
    assert.equal(storedMember(memory(value), "key", "etl/a"), undefined);
  }
});
