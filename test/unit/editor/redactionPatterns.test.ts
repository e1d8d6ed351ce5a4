import assert from "node:assert/strict";
import { test } from "node:test";
import type { Memento } from "vscode";
import { secretRule } from "../../../src/spark/redact.ts";
import { redactionPatterns } from "../../../src/editor/logs/redactionPatterns.ts";

/** The state that all windows share. */
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

test("an application's own pattern is known in a window that is opened later, as it was said last", () => {
  const memory = memento() as Memento;
  const first = redactionPatterns(memory, assert.ifError);
  first.keep("orders", "purple");
  first.keep("orders", "purple|green");
  const later = redactionPatterns(memory, assert.ifError);
  assert.equal(later.patternOf("orders"), "purple|green");
  assert.equal(later.patternOf("others"), undefined);
});

test("a pattern that is too long is remembered as one that no engine reads", () => {
  const patterns = redactionPatterns(memento() as Memento, assert.ifError);
  patterns.keep("orders", `purple|${"a".repeat(1_000_000)}`);
  const kept = patterns.patternOf("orders") ?? "";
  assert.ok(kept.length < 10);
  assert.ok(secretRule(kept, /token/)("anything"));
});

test("patterns of many applications do not pile up, and the newest stay", () => {
  const patterns = redactionPatterns(memento() as Memento, assert.ifError);
  for (let index = 0; index < 300; index += 1) patterns.keep(`application ${index}`, "purple");
  assert.equal(patterns.patternOf("application 0"), undefined);
  assert.equal(patterns.patternOf("application 299"), "purple");
});
