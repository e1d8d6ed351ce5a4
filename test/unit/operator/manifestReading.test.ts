import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import type { ManifestFinding } from "../../../src/spark/operator/manifestFinding.ts";
import {
  anything,
  choice,
  flag,
  integer,
  listOf,
  map,
  nodeAt,
  open,
  quantity,
  readJson,
  record,
  text,
  type ManifestSchema,
} from "../../../src/spark/operator/schema.ts";
import { skimYaml } from "../../../src/spark/operator/yamlTree.ts";

/** Returns the value of a YAML field and its findings, as `path at "marked text": message (fix)`. */
function read<T>(schema: ManifestSchema<T>, yaml: string) {
  const [root] = skimYaml(yaml);
  assert.ok(root);
  const findings: ManifestFinding[] = [];
  const value = schema.read(root, { path: "", report: (finding) => void findings.push(finding) });
  return {
    value,
    findings: findings.map(({ path, span, message, fix }) => {
      const written = yaml.slice(span.start, span.end);
      const end = fix === undefined ? "" : ` (${fix})`;
      return `${path} at "${written}": ${inEnglish(message)}${end}`;
    }),
  };
}

const field = (schema: ManifestSchema<string | number | boolean>, value: string) =>
  read(record({ a: schema }), `a: ${value}`);

describe("a field of a manifest", () => {
  /** Checks each YAML text (the key): the value that is read, and the finding about it. */
  const check = (
    schema: ManifestSchema<string | number | boolean>,
    rows: Readonly<Record<string, readonly [value: unknown, finding?: string]>>,
  ): void => {
    for (const [yaml, [value, finding]] of Object.entries(rows)) {
      const found = field(schema, yaml);
      assert.deepEqual(found.value, value === undefined ? {} : { a: value }, yaml);
      assert.deepEqual(found.findings, finding === undefined ? [] : [finding], yaml);
    }
  };

  test("of text has quotes if it looks like another type", () => {
    check(text, {
      x: ["x"],
      '"1"': ["1"],
      "1": ["1", 'a at "1": This must be a quoted string. ("1")'],
      true: ["true", 'a at "true": This must be a quoted string. ("true")'],
      null: [undefined],
      "[x]": [undefined, 'a at "[x]": This must be a string.'],
      "{{ x }}": ["{{ x }}"],
    });
  });

  test("of a boolean is true or false, without quotes", () => {
    check(flag, {
      true: [true],
      false: [false],
      '"true"': [true, 'a at ""true"": This must be true or false. (true)'],
      "'False '": [false, "a at \"'False '\": This must be true or false. (false)"],
      yes: [true],
      maybe: [undefined, 'a at "maybe": This must be true or false.'],
      "1": [undefined, 'a at "1": This must be true or false.'],
      "[]": [undefined, 'a at "[]": This must be true or false.'],
      "{{ x }}": [undefined],
    });
  });

  test("of an integer is a safe integer without quotes, from a minimum on", () => {
    check(integer(1), {
      "1": [1],
      "0": [0, 'a at "0": This must be at least 1.'],
      '"7"': [7, 'a at ""7"": This must be a number without quotes. (7)'],
      '"+7"': [7, 'a at ""+7"": This must be a number without quotes. (7)'],
      "1.5": [undefined, 'a at "1.5": This must be an integer.'],
      x: [undefined, 'a at "x": This must be an integer.'],
      true: [undefined, 'a at "true": This must be an integer.'],
      "9007199254740993": [undefined, 'a at "9007199254740993": This must be an integer.'],
      "[1]": [undefined, 'a at "[1]": This must be an integer.'],
      "${X}": [undefined],
    });
    check(integer(), { "-5": [-5] });
  });

  test("of a choice is one of the words", () => {
    check(choice("Python", "Java"), {
      Python: ["Python"],
      Pyton: [undefined, 'a at "Pyton": "Pyton" is not one of "Python", "Java". (Python)'],
      Rust: [undefined, 'a at "Rust": "Rust" is not one of "Python", "Java".'],
      "$(X)": [undefined],
      "[x]": [undefined, 'a at "[x]": This must be a string.'],
    });
  });

  test("of a quantity is a number or a text", () => {
    check(quantity, {
      "1": [1],
      "500m": ["500m"],
      true: [undefined, 'a at "true": This must be a quantity such as 500m or 1Gi.'],
      "[1]": [undefined, 'a at "[1]": This must be a quantity such as 500m or 1Gi.'],
    });
  });
});

describe("a list or a map of a manifest", () => {
  test("leaves out what cannot be read", () => {
    assert.deepEqual(read(record({ a: listOf(integer()) }), "a: [1, x, 3]"), {
      value: { a: [1, 3] },
      findings: ['a[1] at "x": This must be an integer.'],
    });
    assert.deepEqual(read(record({ a: listOf(text) }), "a: x").findings, [
      'a at "x": This must be a list.',
    ]);
    assert.deepEqual(read(record({ a: listOf(text) }), "a:"), { value: {}, findings: [] });
    assert.deepEqual(read(listOf(text), "~"), { value: undefined, findings: [] });
  });

  test("reports an entry without a value", () => {
    assert.deepEqual(read(record({ a: map(integer()) }), "a: {b: 1, c: x, d: }"), {
      value: { a: { b: 1 } },
      findings: [
        'a[c] at "x": This must be an integer.',
        'a[d] at "d": The API server drops an entry without a value. Use "" for an empty string.',
      ],
    });
    assert.deepEqual(read(record({ a: map(text) }), "a: [x]").findings, [
      'a at "[x]": This must be a map.',
    ]);
    assert.deepEqual(read(map(text), "~"), { value: undefined, findings: [] });
  });
});

describe("an object of a manifest", () => {
  const schema = record({ a: record({ name: text, count: integer() }, "name"), b: anything }, "a");

  test("has known and required fields", () => {
    assert.deepEqual(read(schema, "a: {name: x, count: 2}\nb: {c: [1, ~], d: ~}"), {
      value: { a: { name: "x", count: 2 }, b: { c: [1, null] } },
      findings: [],
    });
    assert.deepEqual(read(schema, "b: 1"), {
      value: { b: 1 },
      findings: ['a at "": The required field "a" is missing.'],
    });
    assert.deepEqual(read(schema, "a: {name: , coutn: 2}"), {
      value: { a: {} },
      findings: [
        'a.coutn at "coutn": Unknown field "coutn". Did you mean "count"? (count)',
        'a.name at "name": The required field "name" is missing.',
      ],
    });
    assert.deepEqual(read(schema, "a: {name: x}\ntoString: 1").findings, [
      'toString at "toString": Unknown field "toString".',
    ]);
  });

  test("may have placeholders as keys", () => {
    assert.deepEqual(read(schema, '"{{ a }}": 1'), { value: {}, findings: [] });
  });

  test("is a map", () => {
    assert.deepEqual(read(schema, "[x]").findings, [' at "[x]": This must be an object.']);
    assert.deepEqual(read(schema, "a: ~").findings, [
      'a at "a": The required field "a" is missing.',
    ]);
  });

  test("of another type is checked for its required fields", () => {
    const other = open("name");
    assert.deepEqual(read(other, "name: x\nmore: {a: ~, b: 1}"), {
      value: { name: "x", more: { b: 1 } },
      findings: [],
    });
    assert.deepEqual(read(other, "more: 1").findings, [
      'name at "": The required field "name" is missing.',
    ]);
    assert.deepEqual(read(other, "x"), {
      value: undefined,
      findings: [' at "x": This must be an object.'],
    });
    assert.deepEqual(read(other, "~"), { value: undefined, findings: [] });
  });

  test("may come from JSON, without a place", () => {
    const { value, findings } = readJson(schema, { a: { name: "x", count: "y" }, b: [null, true] });
    assert.deepEqual(value, { a: { name: "x" }, b: [null, true] });
    assert.deepEqual(
      findings.map(({ path, span }) => [path, span]),
      [["a.count", { start: 0, end: 0 }]],
    );
  });

  test("has the last of several values of a key", () => {
    const [root] = skimYaml("a:\n  b: 1\n  b: 2\nc: [1]");
    assert.ok(root);
    const node = nodeAt(root, "a", "b");
    assert.equal(node?.kind === "scalar" && node.value, 2);
    assert.equal(nodeAt(root, "a", "x", "y"), undefined);
    assert.equal(nodeAt(root, "c", "0"), undefined);
    assert.equal(nodeAt(root), root);
  });
});
