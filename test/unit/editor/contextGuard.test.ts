import assert from "node:assert/strict";
import { test } from "node:test";
import { guardOf } from "../../../src/editor/contextGuard.ts";

const kindOf = (
  context: string,
  guarded: readonly string[],
  readOnly: readonly string[] = [],
): string => guardOf(context, { guarded, readOnly }).kind;

test("a pattern is found anywhere in a context's name, whatever the case", () => {
  for (const context of ["prod", "prod-eu", "team@Production", "gke_x_europe_PROD"]) {
    assert.equal(kindOf(context, ["prod"]), "typeName", context);
  }
  assert.equal(kindOf("dev", ["prod"]), "none");
});

test("a pattern may be a regular expression", () => {
  assert.equal(kindOf("nonprod", ["(?<!non)prod"]), "none");
  assert.equal(kindOf("prod", ["(?<!non)prod"]), "typeName");
  assert.equal(kindOf("prod-eu", ["^prod$"]), "none");
});

test("what is no regular expression is looked for as text", () => {
  assert.equal(kindOf("prod(eu)", ["prod("]), "typeName");
  assert.equal(kindOf("prod", ["prod("]), "none");
});

test("an empty pattern guards nothing", () => {
  assert.equal(kindOf("dev", [""], [""]), "none");
});

test("read-only counts where both match", () => {
  assert.equal(kindOf("prod", ["prod"], ["prod"]), "readOnly");
  assert.equal(kindOf("prod-eu", ["prod"], ["eu$"]), "readOnly");
  assert.equal(kindOf("prod-us", ["prod"], ["eu$"]), "typeName");
});
