import assert from "node:assert/strict";
import { test } from "node:test";
import { startsByItself, taskEntries } from "../../../src/editor/profiles/taskGraph.ts";

const entries = taskEntries([
  { label: "watch", runOptions: { runOn: "folderOpen" }, dependsOn: ["chain"] },
  { label: "chain", dependsOn: "orders" },
  { label: "orders", type: "spark" },
  { label: "quiet", type: "spark", dependsOn: "watch" },
  7,
]);

test("a profile starts by itself when the folder's opening leads to it", () => {
  assert.ok(startsByItself(entries, "watch"));
  assert.ok(startsByItself(entries, "orders"));
  assert.ok(!startsByItself(entries, "quiet"));
});

test("who depends on tasks in a way that only the editor can read may lead to any", () => {
  const unclear = taskEntries([
    { label: "watch", runOptions: { runOn: "folderOpen" }, dependsOn: { type: "npm" } },
    { label: "orders" },
  ]);
  assert.ok(startsByItself(unclear, "orders"));
});

test("tasks that depend on each other in a ring come to an end", () => {
  const ring = taskEntries([
    { label: "a", dependsOn: "b" },
    { label: "b", dependsOn: "a" },
  ]);
  assert.ok(!startsByItself(ring, "a"));
});
