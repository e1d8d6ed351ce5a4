import assert from "node:assert/strict";
import { test } from "node:test";
import { contextIn, furtherAfter } from "../../../src/editor/apps/contextChoice.ts";

test("contexts that were not offered keep their namespaces, those that were are as they are ticked", () => {
  const now = { prod: ["etl", "ml"], staging: ["x"], test: ["y"], old: [] };
  const offered = ["staging", "test", "new"];
  assert.deepEqual(furtherAfter(now, offered, ["staging", "new"]), {
    prod: ["etl", "ml"],
    old: [],
    staging: ["x"],
    new: [],
  });
});

test("a chosen context that another kubeconfig does not have gives way to the current one there", () => {
  const contexts = [{ name: "dev" }, { name: "prod" }];
  assert.equal(contextIn(contexts, "prod"), "prod");
  assert.equal(contextIn(contexts, "staging"), undefined);
  assert.equal(contextIn(contexts, undefined), undefined);
});
