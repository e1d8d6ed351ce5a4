import assert from "node:assert/strict";
import { test } from "node:test";
import { contextIn, furtherAfter } from "../../../src/editor/apps/contextChoice.ts";

test("keeps the namespaces of contexts that were not offered, and applies the checked ones", () => {
  const now = { prod: ["etl", "ml"], staging: ["x"], test: ["y"], old: [] };
  const offered = ["staging", "test", "new"];
  assert.deepEqual(furtherAfter(now, offered, ["staging", "new"]), {
    prod: ["etl", "ml"],
    old: [],
    staging: ["x"],
    new: [],
  });
});

test("uses the current context if the kubeconfig does not have the chosen one", () => {
  const contexts = [{ name: "dev" }, { name: "prod" }];
  assert.equal(contextIn(contexts, "prod"), "prod");
  assert.equal(contextIn(contexts, "staging"), undefined);
  assert.equal(contextIn(contexts, undefined), undefined);
});
