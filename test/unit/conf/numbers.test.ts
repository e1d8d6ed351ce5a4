// Compares number parsing with Java's `parseInt`, `parseLong`, `parseDouble` and `BigDecimal`.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  fitsLong,
  parseDecimal,
  parseDouble,
  parseInteger,
  wholeNumber,
} from "../../../src/spark/conf/values/numbers.ts";

const arabic = "\u0661\u0662";
const mathematical = "\u{1d7d9}";

describe("an integer", () => {
  const read = (text: string, type: "int" | "long" = "int"): unknown => {
    const parsed = parseInteger(text, type);
    return "value" in parsed ? Number(parsed.value) : parsed.fault;
  };
  for (const [text, expected] of [
    ["0", 0],
    ["-0", 0],
    ["+7", 7],
    ["-12", -12],
    ["0007", 7],
    ["00", 0],
    [arabic, 12],
    ["2147483647", 2_147_483_647],
    ["-2147483648", -2_147_483_648],
    ["2147483648", "tooLarge"],
    ["-2147483649", "tooLarge"],
    [`${"0".repeat(40)}7`, 7],
    ["9".repeat(40), "tooLarge"],
    ["", "syntax"],
    ["+", "syntax"],
    ["-", "syntax"],
    ["--1", "syntax"],
    ["1.0", "syntax"],
    [" 1", "syntax"],
    ["1x", "syntax"],
  ] as const) {
    test(`${JSON.stringify(text.slice(0, 20))} is ${expected}`, () => {
      assert.equal(read(text), expected);
    });
  }

  test("of 64 bits has its own bounds", () => {
    for (const text of ["9223372036854775807", "-9223372036854775808"]) {
      assert.deepEqual(parseInteger(text, "long"), { value: BigInt(text) });
      assert.equal(fitsLong(BigInt(text)), true);
    }
    for (const text of ["9223372036854775808", "-9223372036854775809"]) {
      assert.equal(read(text, "long"), "tooLarge");
      assert.equal(fitsLong(BigInt(text)), false);
    }
    assert.equal(read("2147483648", "long"), 2_147_483_648);
  });

  test("of digits has at most 25 of them, leading zeros not counted", () => {
    assert.equal(wholeNumber("9".repeat(25)), BigInt("9".repeat(25)));
    assert.equal(wholeNumber(`${"0".repeat(30)}${"9".repeat(25)}`), BigInt("9".repeat(25)));
    assert.equal(wholeNumber("9".repeat(26)), undefined);
    assert.deepEqual([wholeNumber("0"), wholeNumber("000")], [0n, 0n]);
  });
});

describe("a double", () => {
  for (const [text, expected] of [
    ["1", 1],
    ["-1.5", -1.5],
    ["+.5", 0.5],
    ["1.", 1],
    ["1e3", 1_000],
    ["1E-3", 0.001],
    ["1e+3", 1_000],
    ["1f", 1],
    ["1D", 1],
    ["Infinity", Infinity],
    ["-Infinity", -Infinity],
    ["0x1p4", 16],
    ["0X1.8p1", 3],
    ["-0x.8P-1d", -0.25],
    ["0xap0", 10],
    ["0x1p+2", 4],
    ["", undefined],
    [".", undefined],
    ["e3", undefined],
    ["1e", undefined],
    ["1e+", undefined],
    ["1.2.3", undefined],
    ["1x", undefined],
    ["f", undefined],
    ["1ff", undefined],
    ["infinity", undefined],
    ["0x1", undefined],
    ["0x1p", undefined],
    ["0x1p-", undefined],
    ["0x1p1x", undefined],
    ["0xp1", undefined],
    ["0x.p1", undefined],
    ["0x1.2.3p1", undefined],
    ["0xgp1", undefined],
    ["--1", undefined],
  ] as const) {
    test(`${JSON.stringify(text)} is ${String(expected)}`, () => {
      assert.equal(parseDouble(text), expected);
    });
  }

  test("may be no number", () => {
    for (const text of ["NaN", "-NaN", "+NaN"]) assert.ok(Number.isNaN(parseDouble(text)), text);
  });
});

describe("a decimal", () => {
  for (const [text, value, places] of [
    ["1", 1, 0],
    ["1.50", 1.5, 1],
    ["1.00", 1, 0],
    ["0.125", 0.125, 3],
    [".5", 0.5, 1],
    ["-0.25", -0.25, 2],
    ["+2.5", 2.5, 1],
    ["1e3", 1_000, -3],
    ["1.25e1", 12.5, 1],
    ["1.25E-1", 0.125, 3],
    [arabic, 12, 0],
    [`0.${arabic}`, 0.12, 2],
  ] as const) {
    test(`${text} has ${places} places`, () => {
      assert.deepEqual(parseDecimal(text), { value, places });
    });
  }

  for (const text of ["", "-", "+-1", "1f", "NaN", "0x1", "1.2.3", "1e", mathematical, "1 "]) {
    test(`is not ${JSON.stringify(text)}`, () => {
      assert.equal(parseDecimal(text), undefined);
    });
  }
});
