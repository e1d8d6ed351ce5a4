import assert from "node:assert/strict";
import { test } from "node:test";
import { isEditable } from "../../../src/editor/conf/isEditable.ts";

test("judges files and untitled documents, but no read-only ones", () => {
  assert.equal(isEditable("file", true), true);
  assert.equal(isEditable("untitled", undefined), true);
  assert.equal(isEditable("vscode-notebook-cell", undefined), true);
  assert.equal(isEditable("spark-k8s", undefined), false);
  assert.equal(isEditable("spark-k8s-log", undefined), false);
  assert.equal(isEditable("spark-conf-rule", undefined), false);
  assert.equal(isEditable("git", undefined), false);
  assert.equal(isEditable("zip", false), false);
});
