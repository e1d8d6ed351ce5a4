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
