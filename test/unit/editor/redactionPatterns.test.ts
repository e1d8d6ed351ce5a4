import assert from "node:assert/strict";
import { test } from "node:test";
import type { Memento } from "vscode";
import { secretRule } from "../../../src/spark/redact.ts";
import { redactionPatterns } from "../../../src/editor/logs/redactionPatterns.ts";

/** Creates the global state that all windows share. */
function memento(): Pick<Memento, "get" | "update"> {
  const values = new Map<string, unknown>();
  return {
    get: <T>(key: string, otherwise?: T) => (values.get(key) ?? otherwise) as T,
    update: (key, value) => {
      values.set(key, value);
      return Promise.resolve();
    },
  };
}

test("keeps the latest pattern of an application for later windows", () => {
  const memory = memento() as Memento;
  const first = redactionPatterns(memory, assert.ifError);
  first.keep("orders", "purple");
  first.keep("orders", "purple|green");
  const later = redactionPatterns(memory, assert.ifError);
  assert.equal(later.patternOf("orders"), "purple|green");
  assert.equal(later.patternOf("others"), undefined);
});

test("stores a pattern that is too long as an invalid one", () => {
  const patterns = redactionPatterns(memento() as Memento, assert.ifError);
  patterns.keep("orders", `purple|${"a".repeat(1_000_000)}`);
  const kept = patterns.patternOf("orders") ?? "";
  assert.ok(kept.length < 10);
  assert.ok(secretRule(kept, /token/)("anything"));
});

test("keeps the newest patterns up to a maximum number of applications", () => {
  const patterns = redactionPatterns(memento() as Memento, assert.ifError);
  for (let index = 0; index < 300; index += 1) patterns.keep(`application ${index}`, "purple");
  assert.equal(patterns.patternOf("application 0"), undefined);
  assert.equal(patterns.patternOf("application 299"), "purple");
});
