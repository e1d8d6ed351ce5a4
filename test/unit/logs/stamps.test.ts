import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareStamps, ParsedTimestamp } from "../../../src/spark/logs/stamps.ts";

const stamp = fc
  .record({
    at: fc.date({
      min: new Date("2026-01-02T03:04:05Z"),
      max: new Date("2026-01-02T03:04:08Z"),
      noInvalidDate: true,
    }),
    decimals: fc.stringMatching(/^(?:\.\d{1,9})?$/),
    offset: fc.constantFrom("Z", "Z", "Z", "+02:00", "-03:30"),
  })
  .map(({ at, decimals, offset }) => `${at.toISOString().slice(0, 19)}${decimals}${offset}`);

test("orders instants like their timestamps, in any format", () => {
  const [a, b] = [new ParsedTimestamp(), new ParsedTimestamp()];
  fc.assert(
    fc.property(stamp, stamp, (left, right) => {
      a.read(left);
      b.read(right);
      const order = a.isAfter(b) ? 1 : b.isAfter(a) ? -1 : 0;
      assert.equal(order, Math.sign(compareStamps(left, right)));
    }),
  );
});

test("an instant without a timestamp precedes all others", () => {
  const [none, some] = [new ParsedTimestamp(), new ParsedTimestamp()];
  some.read("1970-01-01T00:00:00.000000001Z");
  none.read("");
  assert.ok(some.isAfter(none));
  assert.ok(!none.isAfter(some));
});
