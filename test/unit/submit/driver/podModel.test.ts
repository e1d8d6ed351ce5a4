import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SparkMinor } from "../../../../src/spark/submit/conf/sparkVersion.ts";
import { versionTraits } from "../../../../src/spark/submit/conf/versionTraits.ts";
import { readTyped, WrittenNumber } from "../../../../src/spark/submit/driver/podModel.ts";

/** Converts objects to maps, which the parser of a template returns. */
function maps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maps);
  return typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
    ? new Map(Object.entries(value).map(([key, one]) => [key, maps(one)]))
    : value;
}

const read = (pod: unknown, minor: SparkMinor = "4.3") =>
  readTyped(maps(pod), "Pod", versionTraits[minor]);

/** Returns the value of a field of the pod's spec; "misfit" if Spark cannot read it. */
function field(name: string, value: unknown, minor: SparkMinor = "4.3"): unknown {
  const result = read({ spec: { [name]: value } }, minor);
  if (!result.ok) {
    assert.equal(result.error, `spec.${name}`);
    return "misfit";
  }
  const { spec } = result.value as { readonly spec: Readonly<Record<string, unknown>> };
  return spec[name];
}

const written = (value: number, text = `${value}`) => new WrittenNumber(value, text);

describe("a scalar of a pod template", () => {
  test("is a text, also from a number or a boolean", () => {
    const rows = [
      ["a", "a"],
      ["", ""],
      [true, "true"],
      [written(1, "0x1"), "0x1"],
      [5, "5"],
      [1.5, "1.5"],
      [1e8, "100000000"],
      [new Date(7), "7"],
      [{}, "misfit"],
      [["a"], "misfit"],
    ] as const;
    for (const [value, text] of rows) assert.equal(field("hostname", value), text);
    assert.equal(field("hostname", null), undefined);
    assert.equal(field("hostname", 1.5e-7), "1.5E-7");
  });

  test("is a boolean, also from a whole number", () => {
    const rows = [
      [true, true],
      [false, false],
      [" True ", true],
      ["FALSE", false],
      ["tRUE", "misfit"],
      ["yes", "misfit"],
      ["", undefined],
      [0, false],
      [2, true],
      [1.5, "misfit"],
      [{}, "misfit"],
    ] as const;
    for (const [value, expected] of rows) assert.equal(field("hostNetwork", value), expected);
  });

  test("is a 64-bit integer without its fraction", () => {
    const rows = [
      ["30", 30],
      [" +30 ", 30],
      ["-30", -30],
      ["30.5", "misfit"],
      ["x", "misfit"],
      ["", undefined],
      [30.9, 30],
      [-30.9, -30],
      [2 ** 63, "misfit"],
      [-(2 ** 63), -(2 ** 63)],
      [true, "misfit"],
    ] as const;
    for (const minor of ["3.5", "4.3"] as const)
      for (const [value, expected] of rows)
        assert.equal(
          field("activeDeadlineSeconds", value, minor),
          expected,
          `${value} in ${minor}`,
        );
  });

  test("is a 32-bit integer, from Spark 4.0 on parsed from its text", () => {
    const both = [
      ["7", 7],
      [2 ** 31 - 1, 2 ** 31 - 1],
      [2 ** 31, "misfit"],
      [-(2 ** 31), -(2 ** 31)],
      [-(2 ** 31) - 1, "misfit"],
      ["x", "misfit"],
    ] as const;
    for (const minor of ["3.5", "4.0"] as const)
      for (const [value, expected] of both)
        assert.equal(field("priority", value, minor), expected, `${value} in ${minor}`);
    const decoded = [
      ...([
        [written(644, "0644"), 420],
        ["0x1f", 31],
        ["#1F", 31],
        ["-0x10", -16],
        ["0X10", 16],
      ] as const),
      ...([
        ["+010", 8],
        ["0", 0],
        ["-0", 0],
        ["08", "misfit"],
        ["", "misfit"],
        [1.5, "misfit"],
      ] as const),
      ...([
        ["0x80000000", "misfit"],
        ["0x", "misfit"],
        [" 7", "misfit"],
        [true, "misfit"],
      ] as const),
    ];
    for (const [value, expected] of decoded)
      assert.equal(
        Object.is(field("priority", value), -0) ? 0 : field("priority", value),
        expected,
      );
    const older = [
      ...([
        [written(644, "0644"), 644],
        ["0x1f", "misfit"],
        ["010", 10],
        ["", undefined],
      ] as const),
      ...([
        [1.5, 1],
        [" 7 ", 7],
        ["08", 8],
      ] as const),
    ];
    for (const [value, expected] of older) assert.equal(field("priority", value, "3.5"), expected);
  });

  test("is a quantity as a text", () => {
    const quantity = (value: unknown) => field("overhead", { cpu: value });
    assert.deepEqual(quantity("500m"), { cpu: "500m" });
    assert.deepEqual(quantity(2), { cpu: "2" });
    assert.deepEqual(quantity(null), { cpu: null });
    for (const wrong of ["", "Gi", {}]) {
      const result = read({ spec: { overhead: { cpu: wrong } } });
      assert.ok(!result.ok && result.error === "spec.overhead.cpu");
    }
  });

  test("is a port as a number or a name", () => {
    const port = (value: unknown) =>
      read({ spec: { containers: [{ livenessProbe: { httpGet: { port: value } } }] } });
    const json = (value: unknown) => ({
      ok: true,
      value: { spec: { containers: [{ livenessProbe: { httpGet: { port: value } } }] } },
    });
    assert.deepEqual(port("http"), json("http"));
    assert.deepEqual(port(80), json(80));
    const wrong = port(true);
    assert.ok(!wrong.ok);
    assert.equal(wrong.error, "spec.containers[0].livenessProbe.httpGet.port");
  });
});

describe("a list or a map of a pod template", () => {
  test("is left out if it is empty, which old versions of Spark do not do with maps", () => {
    assert.equal(field("containers", []), undefined);
    assert.equal(field("nodeSelector", {}), undefined);
    assert.equal(field("nodeSelector", {}, "3.4"), undefined);
    assert.deepEqual(field("nodeSelector", {}, "3.3"), {});
    assert.deepEqual(field("nodeSelector", { a: 1, b: null }), { a: "1", b: null });
  });

  test("has empty items for those without a value", () => {
    assert.deepEqual(field("containers", [null, { name: "a", args: [null, 1] }]), [
      ...[{}, { name: "a", args: [null, "1"] }],
    ]);
  });

  test("is of the right type", () => {
    for (const [name, value] of [
      ["containers", {}],
      ["containers", "x"],
      ["nodeSelector", []],
      ["nodeSelector", "x"],
      ["affinity", "x"],
      ["affinity", []],
    ] as const)
      assert.equal(field(name, value), "misfit");
  });
});

describe("an object of a pod template", () => {
  test("with one text field may be a text", () => {
    assert.deepEqual(field("os", "linux"), { name: "linux" });
    assert.deepEqual(field("imagePullSecrets", ["a", { name: "b" }]), [
      { name: "a" },
      { name: "b" },
    ]);
  });

  test("keeps fields that Spark does not know", () => {
    const own = { list: [1, "a", null, true], map: { b: written(7, "07"), c: new Date(5) } };
    assert.deepEqual(field("toString", own), { list: [1, "a", null, true], map: { b: 7, c: 5 } });
    assert.deepEqual(read({ other: null, status: { x: 1 } }), {
      ok: true,
      value: { other: null, status: { x: 1 } },
    });
  });

  test("has names that are texts", () => {
    const spec = new Map<unknown, unknown>([
      [7, "x"],
      [true, "y"],
    ]);
    assert.deepEqual(readTyped(new Map([["spec", spec]]), "Pod", versionTraits["4.3"]), {
      ok: true,
      value: { spec: { 7: "x", true: "y" } },
    });
    const nested = new Map([["spec", new Map<unknown, unknown>([[["a"], "x"]])]]);
    const wrong = readTyped(nested, "Pod", versionTraits["4.3"]);
    assert.ok(!wrong.ok && wrong.error === "spec");
  });

  test("is reported by the first value that Spark cannot read", () => {
    const wrong = read({ spec: { hostNetwork: "yes", containers: [{ stdin: "no" }] } });
    assert.ok(!wrong.ok && wrong.error === "spec.hostNetwork");
    assert.deepEqual(read(null), { ok: true, value: null });
    const top = read("x");
    assert.ok(!top.ok && top.error === "");
  });
});
