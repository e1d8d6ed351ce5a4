import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { customProblems, pruneCustom } from "../../../../src/sandbox/schema/customValues.ts";
import type { OpenApiSchema } from "../../../../src/sandbox/schema/schema.ts";

const typeMeta = { apiVersion: "v1", kind: "X", metadata: { name: "x" } };

const problemsOf = (pattern: string, name: string): readonly string[] =>
  customProblems(
    { ...typeMeta, name },
    { type: "object", properties: { name: { type: "string", pattern } } },
  ).map(({ message }) => message);

/** Returns the problems of a field, as `reason field: message`. */
const problemsWith = (field: OpenApiSchema, value: JsonMembers[string]): readonly string[] =>
  customProblems({ ...typeMeta, value }, { type: "object", properties: { value: field } }).map(
    (one) => `${one.reason.slice("FieldValue".length)} ${one.field}: ${one.message}`,
  );

test("matches a pattern of a custom resource's schema in linear time", () => {
  const start = process.cpuUsage().user;
  assert.match(problemsOf("^(a+)+$", `${"a".repeat(50_000)}!`)[0] ?? "", /should match/);
  assert.deepEqual(problemsOf("^(a+)+$", "aaa"), []);
  assert.ok(process.cpuUsage().user - start < 3_000_000);
});

test("refuses the value of a field with an unsupported pattern", () => {
  assert.match(problemsOf("(?=a)", "a")[0] ?? "", /has an unsupported pattern/);
});

test("accepts the bounds of a number and of a text, and refuses values beyond them", () => {
  const schema = {
    type: "object",
    properties: {
      count: { type: "integer", minimum: 1, maximum: 3 },
      name: { type: "string", minLength: 2 },
    },
  } as const;
  const refusals = (members: object): readonly string[] =>
    customProblems({ ...typeMeta, ...members }, schema).map(({ message }) => message);
  for (const count of [1, 2, 3]) assert.deepEqual(refusals({ count }), []);
  assert.match(refusals({ count: 0 }).join(), /should be greater than or equal to 1/);
  assert.match(refusals({ count: 4 }).join(), /should be less than or equal to 3/);
  assert.deepEqual(refusals({ name: "ab" }), []);
  assert.match(refusals({ name: "a" }).join(), /should be at least 2 chars long/);
  assert.match(refusals({ count: "1" }).join(), /must be of type integer: "string"/);
});

describe("the type of a custom field", () => {
  const values = {
    null: null,
    array: [],
    integer: 1,
    number: 1.5,
    string: "1",
    boolean: true,
    object: {},
  } as const;
  for (const type of ["array", "integer", "number", "string", "boolean", "object"] as const) {
    test(`${type} refuses all other types`, () => {
      for (const [given, value] of Object.entries(values)) {
        const isAccepted = given === type || (type === "number" && given === "integer");
        assert.deepEqual(
          problemsWith({ type }, value),
          isAccepted
            ? []
            : [
                `TypeInvalid value: Invalid value: "${given}": value in body must be of type ${type}: "${given}"`,
              ],
          given,
        );
      }
    });
  }

  test("may be null only if it is nullable, and may be anything without a type", () => {
    assert.deepEqual(problemsWith({ type: "string", nullable: true }, null), []);
    assert.equal(problemsWith({ type: "string", nullable: false }, null).length, 1);
    for (const value of Object.values(values)) assert.deepEqual(problemsWith({}, value), []);
  });

  test("is an integer or a text for a port", () => {
    const port = { "x-kubernetes-int-or-string": true };
    assert.deepEqual(problemsWith(port, 1), []);
    assert.deepEqual(problemsWith(port, "http"), []);
    for (const [value, shown] of [
      [1.5, "1.5"],
      [true, "true"],
      [null, '"null"'],
      [{}, '"object"'],
    ] as const) {
      assert.deepEqual(problemsWith(port, value), [
        `Invalid value: Invalid value: ${shown}: value in body must be of type integer or string`,
      ]);
    }
  });
});

test("refuses a value outside an enumeration and names the supported ones", () => {
  const schema = { type: "string", enum: ["Java", "Python"] };
  assert.deepEqual(problemsWith(schema, "Python"), []);
  assert.deepEqual(problemsWith(schema, "R"), [
    'NotSupported value: Unsupported value: "R": supported values: "Java", "Python"',
  ]);
});

test("names the place of a problem in lists, maps and nested objects", () => {
  const text = { type: "string" };
  const list = { type: "array", items: { type: "object", properties: { name: text } } };
  assert.match(
    problemsWith(list, [{ name: "a" }, { name: 1 }]).join(),
    /^TypeInvalid value\[1\]\.name: /,
  );
  const map = { type: "object", additionalProperties: text };
  assert.match(problemsWith(map, { a: "1", b: 2 }).join(), /^TypeInvalid value\.b: /);
  assert.deepEqual(problemsWith({ type: "array" }, [1, "a", {}]), []);
});

test("requires fields at the top and below, also in an object without declared fields", () => {
  const required = ["driver", "executor"];
  assert.deepEqual(
    customProblems({ ...typeMeta, driver: {} }, { type: "object", required }).map(
      ({ field, message }) => `${field}: ${message}`,
    ),
    ["executor: Required value"],
  );
  assert.deepEqual(problemsWith({ type: "object", properties: {}, required }, { executor: 1 }), [
    "Required value.driver: Required value",
  ]);
});

test("checks the name of an object as all kinds do, not by its own schema", () => {
  const metadata = { type: "object", properties: { name: { type: "integer" } } };
  const schema = { type: "object", properties: { metadata: { ...metadata, required: ["none"] } } };
  assert.deepEqual(customProblems(typeMeta, schema), []);
});

describe("a custom object", () => {
  const pruned = (schema: OpenApiSchema, body: JsonMembers) => pruneCustom(body, schema);

  test("loses the fields that its schema lacks, with their paths", () => {
    const schema = {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            list: { type: "array", items: { type: "object", properties: { a: {} } } },
            open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            any: { type: "object", additionalProperties: true },
            map: { type: "object", additionalProperties: { type: "integer" } },
            bare: { type: "array" },
          },
        },
      },
    };
    const kept = {
      open: { x: 1 },
      any: { y: [2] },
      map: { z: 3 },
      bare: [{ q: 4 }],
    };
    const { value, unknown, mistyped } = pruned(schema, {
      ...{ apiVersion: "v1", kind: "X", metadata: { name: "x", nmae: "x" }, extra: 1 },
      spec: { ...kept, list: [{ a: 1 }, { a: 2, b: 3 }], other: true },
    });
    assert.deepEqual(value, { ...typeMeta, spec: { ...kept, list: [{ a: 1 }, { a: 2 }] } });
    assert.deepEqual(unknown, ["metadata.nmae", "extra", "spec.list[1].b", "spec.other"]);
    assert.deepEqual(mistyped, []);
  });

  test("gets the defaults of its schema in place of absent fields and of null", () => {
    const schema = {
      type: "object",
      properties: {
        count: { type: "integer", default: 1 },
        mode: { type: "string", default: "cluster" },
        note: { type: "string", nullable: true, default: "none" },
        bare: { type: "string" },
      },
    };
    const { value } = pruned(schema, { ...typeMeta, mode: null, note: null, bare: null });
    assert.deepEqual(value, { ...typeMeta, count: 1, mode: "cluster", note: null });
    assert.deepEqual(pruned(schema, { ...typeMeta, count: 0 }).value["count"], 0);
  });

  test("reports metadata of a wrong type", () => {
    const { mistyped } = pruned({}, { ...typeMeta, metadata: { labels: "x" } });
    assert.match(mistyped.join(), /cannot unmarshal string into .*labels/);
  });
});
