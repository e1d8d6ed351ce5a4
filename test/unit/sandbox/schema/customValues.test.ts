import assert from "node:assert/strict";
import { test } from "node:test";
import { customProblems } from "../../../../src/sandbox/schema/customValues.ts";

const problemsOf = (pattern: string, name: string): readonly string[] =>
  customProblems(
    { apiVersion: "v1", kind: "X", metadata: { name: "x" }, name },
    { type: "object", properties: { name: { type: "string", pattern } } },
  ).map(({ message }) => message);

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
    customProblems(
      { apiVersion: "v1", kind: "X", metadata: { name: "x" }, ...members },
      schema,
    ).map(({ message }) => message);
  for (const count of [1, 2, 3]) assert.deepEqual(refusals({ count }), []);
  assert.match(refusals({ count: 0 }).join(), /should be greater than or equal to 1/);
  assert.match(refusals({ count: 4 }).join(), /should be less than or equal to 3/);
  assert.deepEqual(refusals({ name: "ab" }), []);
  assert.match(refusals({ name: "a" }).join(), /should be at least 2 chars long/);
  assert.match(refusals({ count: "1" }).join(), /must be of type integer: "string"/);
});
