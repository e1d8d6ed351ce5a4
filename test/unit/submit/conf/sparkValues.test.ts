import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  isQuantity,
  parseJavaBoolean,
  parseJavaDouble,
  parseJavaInt,
  parseSize,
  parseTime,
  toJavaInt,
} from "../../../../src/spark/submit/conf/sparkValues.ts";

describe("a size", () => {
  const units = ["", "k", "m", "g", "t", "p"];
  for (const [power, unit] of units.entries()) {
    const bytes = 3n * 1024n ** BigInt(power);
    test(`in the unit "${unit}" has ${bytes} bytes, in both cases and with a b`, () => {
      for (const text of [`3${unit}b`, ` 3${unit.toUpperCase()}B `, unit && `3${unit}`]) {
        if (text !== "") assert.equal(parseSize(text, 1, false), bytes, text);
      }
      if (unit === "") return;
      for (const text of [`3${unit}i`, `3${unit.toUpperCase()}iB`]) {
        assert.equal(parseSize(text, 1, true), bytes, text);
        assert.equal(parseSize(text, 1, false), undefined, text);
      }
    });
  }

  test("without a unit is in the bare unit, and others are divided by it", () => {
    assert.equal(parseSize("7", 1024, false), 7n);
    assert.equal(parseSize("7k", 1024, false), 7n);
    assert.equal(parseSize("2047b", 1024, false), 1n);
    assert.equal(parseSize("1m", 2 ** 20, false), 1n);
  });

  test("fits into Java's long", () => {
    const max = 2n ** 63n - 1n;
    assert.equal(parseSize(String(max), 1, false), max);
    assert.equal(parseSize(`${max}b`, 1, false), max);
    assert.equal(parseSize(String(max + 1n), 1, false), undefined);
    assert.equal(parseSize("8191p", 1, false), 8191n * 1024n ** 5n);
    assert.equal(parseSize("8192p", 1, false), undefined);
    assert.equal(parseSize("8192p", 1024, false), 8n * 1024n ** 5n);
  });

  for (const text of ["", "m", "-1", "1.5g", "1 g", "1x", "1mm", "1gbi", "0x1"]) {
    test(`is not ${JSON.stringify(text)}`, () => {
      assert.equal(parseSize(text, 1, true), undefined);
    });
  }
});

test("a time has a unit or the bare one, and may be negative", () => {
  for (const [text, expected] of [
    ["7", 7_000],
    ["7us", 0],
    ["1500us", 1],
    ["7ms", 7],
    ["7s", 7_000],
    ["7m", 420_000],
    ["7min", 420_000],
    ["7h", 25_200_000],
    ["7d", 604_800_000],
    [" 7S ", 7_000],
    ["-7s", -7_000],
    ["-1", -1_000],
    ["0", 0],
    ["", undefined],
    ["s", undefined],
    ["7 s", undefined],
    ["7.5s", undefined],
    ["7w", undefined],
    ["+7s", undefined],
  ] as const) {
    assert.equal(parseTime(text, 1_000), expected, text);
  }
});

test("an integer of 32 bits has a sign and ASCII digits", () => {
  for (const [text, expected] of [
    ["0", 0],
    ["+7", 7],
    ["-7", -7],
    ["2147483647", 2_147_483_647],
    ["-2147483648", -2_147_483_648],
    ["2147483648", undefined],
    ["-2147483649", undefined],
    ["", undefined],
    ["-", undefined],
    [" 7", undefined],
    ["7.0", undefined],
  ] as const) {
    assert.equal(parseJavaInt(text), expected, text);
  }
});

test("a cast to an integer truncates and clamps", () => {
  for (const [value, expected] of [
    [1.9, 1],
    [-1.9, -1],
    [NaN, 0],
    [1e12, 2 ** 31 - 1],
    [-1e12, -(2 ** 31)],
    [Infinity, 2 ** 31 - 1],
    [2 ** 31 - 1, 2 ** 31 - 1],
  ] as const) {
    assert.equal(toJavaInt(value), expected, String(value));
  }
});

test("a boolean has any case and no whitespace, and a double may have whitespace", () => {
  assert.deepEqual(["true", "TRUE", "false", "False", " true", "yes", ""].map(parseJavaBoolean), [
    true,
    true,
    false,
    false,
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual([" 1.5 ", "1.5x"].map(parseJavaDouble), [1.5, undefined]);
});

test("the client library accepts quantities whose unit it does not know", () => {
  for (const [text, expected] of [
    ["1", true],
    ["0.5", true],
    ["1Gi", true],
    ["500m", true],
    ["1e3", true],
    ["lots", true],
    ["", false],
    ["Gi", false],
    ["1e3x", false],
    ["1k5m", false],
  ] as const) {
    assert.equal(isQuantity(text), expected, text);
  }
});
