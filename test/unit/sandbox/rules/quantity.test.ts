import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuantity } from "../../../../src/spark/quantity.ts";
import { canonical } from "../../../../src/sandbox/rules/quantity.ts";

for (const [text, expected] of [
  ["1", "1"],
  ["0", "0"],
  ["0Mi", "0"],
  ["-0", "0"],
  ["+1", "1"],
  ["-1", "-1"],
  ["0.5", "500m"],
  ["-0.5", "-500m"],
  [".5", "500m"],
  ["1.", "1"],
  ["1000m", "1"],
  ["1500m", "1500m"],
  ["1000", "1k"],
  ["1500", "1500"],
  ["1000000n", "1m"],
  ["1u", "1u"],
  ["999k", "999k"],
  ["1000k", "1M"],
  ["2000E", "2000E"],
  ["1024Mi", "1Gi"],
  ["1.5Gi", "1536Mi"],
  ["1Ki", "1Ki"],
  ["1023Ki", "1023Ki"],
  ["1048576Ti", "1Ei"],
  ["2048Ei", "2048Ei"],
  ["1e3", "1e3"],
  ["1E3", "1E3"],
  ["", undefined],
  ["lots", undefined],
  ["1 Gi", undefined],
  ["1gi", undefined],
] as const) {
  test(`the canonical form of the quantity ${JSON.stringify(text)} is ${String(expected)}`, () => {
    assert.equal(canonical(text), expected);
  });
}

test("a canonical quantity has the same amount and is its own canonical form", () => {
  const units = ["n", "u", "m", "", "k", "M", "G", "Ki", "Mi", "Gi"];
  for (const unit of units) {
    for (const digits of ["1", "7", "10", "1000", "1024", "2048000", "12.5", "0.25"]) {
      const text = `${digits}${unit}`;
      const form = canonical(text) ?? assert.fail(text);
      assert.equal(canonical(form), form);
      const [before = NaN, after = NaN] = [text, form].map(parseQuantity);
      // Like the API server, `canonical` keeps at most nine decimal places.
      assert.ok(Math.abs(before - after) <= 1e-9 * Math.max(1, before), `${text} ${form}`);
    }
  }
});
