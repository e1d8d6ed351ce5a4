import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MessageReader, NotAMessage, shapeOf } from "../../src/cluster/bytes/messageReader.ts";

const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
};
const number = (field: number, value: bigint | number): Buffer =>
  Buffer.concat([varint(BigInt(field << 3)), varint(BigInt(value))]);
const bytes = (field: number, content: Buffer | string): Buffer => {
  const buffer = Buffer.from(content);
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(buffer.length)), buffer]);
};
const entry = (field: number, ...parts: readonly Buffer[]): Buffer =>
  bytes(field, Buffer.concat(parts));

const named = shapeOf({
  1: { name: "name", kind: "text" },
  2: { name: "value", kind: "text" },
});
const shape = shapeOf({
  1: { name: "text", kind: "text" },
  2: { name: "texts", kind: "texts" },
  3: { name: "time", kind: "time" },
  4: { name: "bytes", kind: "bytes" },
  5: { name: "message", kind: "message", shape: named },
  6: { name: "all", kind: "messages", shape: named, only: undefined },
  7: { name: "some", kind: "messages", shape: named, only: "USER" },
  8: { name: "map", kind: "map" },
  9: { name: "quantities", kind: "quantities" },
  10: { name: "count", kind: "number", zero: true },
  11: { name: "countOrAbsent", kind: "number", zero: false },
  12: { name: "flag", kind: "flag" },
  20: { name: "far", kind: "text" },
});

const read = (...parts: readonly Buffer[]) => new MessageReader().read(Buffer.concat(parts), shape);

describe("a protobuf message", () => {
  test("has the fields that its JSON would have", () => {
    const rows: readonly (readonly [readonly Buffer[], object])[] = [
      [[], {}],
      [[bytes(1, "ä")], { text: "ä" }],
      [[bytes(1, "")], {}],
      [[bytes(2, "a"), bytes(2, "")], { texts: ["a", ""] }],
      [[entry(3, number(1, 1_700_000_000))], { time: "2023-11-14T22:13:20Z" }],
      [[bytes(3, "")], {}],
      [[bytes(4, "xy")], { bytes: Buffer.from("xy") }],
      [[entry(5, bytes(1, "a"), bytes(2, "b"))], { message: { name: "a", value: "b" } }],
      [[bytes(5, "")], { message: {} }],
      [[number(10, 0), number(11, 0)], { count: 0 }],
      [[number(10, 7), number(11, 300)], { count: 7, countOrAbsent: 300 }],
      [[number(12, 0)], { flag: false }],
      [[number(12, 1)], { flag: true }],
      [[bytes(20, "z")], { far: "z" }],
    ];
    for (const [parts, expected] of rows) assert.deepEqual(read(...parts), expected);
  });

  test("has all repeated messages, or only those that begin with a text", () => {
    const names = ["USER", "USES", "USERS", "USE", ""];
    const messages = (field: number) => [
      ...names.map((name) => entry(field, bytes(1, name), bytes(2, "v"))),
      entry(field, bytes(2, "USER")),
      bytes(field, ""),
    ];
    assert.deepEqual(read(...messages(7)), { some: [{ name: "USER", value: "v" }] });
    const { all } = read(...messages(6));
    assert.ok(Array.isArray(all) && all.length === 7);
  });

  test("has maps, also with names of JavaScript's objects", () => {
    const pair = (key: string, value: string) => entry(8, bytes(1, key), bytes(2, value));
    const { map } = read(pair("a", "1"), pair("__proto__", "2"), entry(8, bytes(1, "b")));
    assert.deepEqual(Object.entries(map ?? {}), [
      ["a", "1"],
      ["__proto__", "2"],
      ["b", ""],
    ]);
    assert.deepEqual(read(entry(8, bytes(2, "v"))), { map: { "": "v" } });
  });

  test("has quantities as texts, and 0 for an empty one", () => {
    const cpu = entry(9, bytes(1, "cpu"), entry(2, bytes(1, "500m")));
    assert.deepEqual(read(cpu, entry(9, bytes(1, "gpu"))), {
      quantities: { cpu: "500m", gpu: "0" },
    });
  });

  test("has integers of 64 bits with their sign", () => {
    for (const value of [
      1n,
      127n,
      128n,
      2n ** 28n,
      2n ** 31n,
      2n ** 32n,
      2n ** 40n + 5n,
      2n ** 53n - 1n,
    ]) {
      assert.equal(read(number(10, value))["count"], Number(value));
      assert.equal(read(number(10, -value))["count"], -Number(value));
    }
  });

  test("gives each time its own text", () => {
    const reader = new MessageReader();
    const timeOf = (seconds: number) => reader.read(entry(3, number(1, seconds)), shape)["time"];
    assert.deepEqual([0, 0, 60, 0].map(timeOf), [
      "1970-01-01T00:00:00Z",
      "1970-01-01T00:00:00Z",
      "1970-01-01T00:01:00Z",
      "1970-01-01T00:00:00Z",
    ]);
  });

  test("may have unknown fields of every type", () => {
    const unknown = [
      number(13, 5),
      bytes(14, "skipped"),
      Buffer.concat([varint(BigInt((15 << 3) | 1)), Buffer.alloc(8, 0xff)]),
      Buffer.concat([varint(BigInt((16 << 3) | 5)), Buffer.alloc(4, 0xff)]),
      number(500, 5),
    ];
    assert.deepEqual(read(...unknown, bytes(1, "kept")), { text: "kept" });
    // A known field number with an unexpected wire type is skipped, like an unknown field.
    assert.deepEqual(read(number(1, 5), bytes(10, "x"), bytes(12, "x")), {});
  });

  test("is rejected if it is cut or has an unknown type", () => {
    const whole = bytes(1, "text");
    const invalid = [
      ...Array.from({ length: whole.length - 1 }, (_, at) => whole.subarray(0, at + 1)),
      Buffer.from([(1 << 3) | 3]),
      Buffer.from([(15 << 3) | 1, 0, 0, 0]),
      Buffer.from([(15 << 3) | 5, 0, 0, 0]),
      Buffer.from([10 << 3, ...Array.from({ length: 10 }, () => 0xff), 1]),
      // The inner message claims more bytes than the outer one has.
      Buffer.from([(5 << 3) | 2, 2, 0x0a, 9]),
      Buffer.concat([Buffer.from([0x0a]), varint(-1n)]),
    ];
    for (const one of invalid) {
      assert.throws(() => read(one), NotAMessage, one.toString("hex"));
    }
  });
});
