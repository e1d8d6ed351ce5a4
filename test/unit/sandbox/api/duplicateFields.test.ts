import assert from "node:assert/strict";
import { test } from "node:test";
import { duplicateFields } from "../../../../src/sandbox/api/duplicateFields.ts";

for (const [json, ...expected] of [
  ["{}"],
  ['{"a":1,"b":1}'],
  ['{"a":1,"a":2}', "a"],
  ['{"a":1,"a":2,"a":3}', "a", "a"],
  ['{"a":{"b":1},"b":{"a":1}}'],
  ['{"a":{"b":1,"b":2}}', "a.b"],
  ['{"a":[{"b":1},{"b":1,"b":2}]}', "a[1].b"],
  ['{"a":[[{"b":1}],[{"b":1},{"b":1,"b":2}]]}', "a[1][1].b"],
  ['{"a":["x","x"],"b":"x"}'],
  ['{"a":"b","b":"a"}'],
  ['{"a":"\\"b\\":1,","b":1}'],
  ['{"a":1,"\\u0061":2}', "a"],
  ['[{"a":1},{"a":1,"a":2}]', "[1].a"],
  ['{"a": {"x": 1}, "b": 2, "a": {"x": 1}}', "a"],
] as const) {
  test(`the duplicate fields of ${json} are ${expected.join(", ") || "none"}`, () => {
    assert.deepEqual(duplicateFields(json), expected);
  });
}
