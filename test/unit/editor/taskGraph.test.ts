import assert from "node:assert/strict";
import { test } from "node:test";
import { taskEntries } from "../../../src/editor/profiles/taskGraph.ts";

test("a task is named by label, taskName or the profile's name, in this order", () => {
  const names = taskEntries([
    { label: "a", taskName: "b", name: "c" },
    { taskName: "b", name: "c" },
    { name: "c", type: "spark" },
    { type: "spark" },
    7,
  ]).map(({ label }) => label);
  assert.deepEqual(names, ["a", "b", "c", ""]);
});

test("dependencies that are not named by labels are unknown", () => {
  const [one, list, unclear, none] = taskEntries([
    { dependsOn: "a" },
    { dependsOn: ["a", "b"] },
    { dependsOn: ["a", { type: "npm" }] },
    {},
  ]);
  assert.deepEqual(one?.dependsOn, ["a"]);
  assert.deepEqual(list?.dependsOn, ["a", "b"]);
  assert.equal(unclear?.dependsOn, undefined);
  assert.deepEqual(none?.dependsOn, []);
});
