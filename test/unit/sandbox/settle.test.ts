import assert from "node:assert/strict";
import { test } from "node:test";
import { Settler } from "../../../src/sandbox/api/settle.ts";
import type { JsonObject } from "../../../src/sandbox/kubeObject.ts";

test("what is as it was before stays the same value, however deep", () => {
  const before = { metadata: { name: "a" }, spec: { list: [{ name: "x" }, { name: "y" }] } };
  const next = { ...structuredClone(before), status: { phase: "Running" } };
  const settled = new Settler().settle(next, before);
  assert.deepEqual(settled, next);
  assert.equal(settled.spec, before.spec);
  assert.equal(settled.metadata, before.metadata);
});

test("a list with another member is another list, of the same members where they did not change", () => {
  const before = { list: [{ name: "x" }, { name: "y" }] };
  const settled = new Settler().settle({ list: [{ name: "x" }, { name: "z" }] }, before);
  assert.deepEqual(settled, { list: [{ name: "x" }, { name: "z" }] });
  assert.equal(settled.list[0], before.list[0]);
});

test("members that went away or came, lists that became objects, and nothing at all are told apart", () => {
  const pairs: readonly (readonly [JsonObject, JsonObject])[] = [
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: [] }, { a: {} }],
    [{ a: {} }, { a: [] }],
    [{ a: null }, { b: null }],
    [{ a: "" }, { a: null }],
    [{ toString: "x" }, {}],
  ];
  for (const [next, before] of pairs)
    assert.deepEqual(new Settler().settle(next, before), next, JSON.stringify([next, before]));
});

test("a member with a name of JavaScript's own is a member", () => {
  const next = JSON.parse('{"__proto__":{"polluted":true},"constructor":"c"}') as JsonObject;
  const settled = new Settler().settle(next, undefined);
  assert.equal(JSON.stringify(settled), JSON.stringify(next));
  assert.equal(Object.getPrototypeOf(settled), Object.prototype);
});

test("texts keep every character", () => {
  const text = `${"x".repeat(20)} "quoted" \\ \u2028 \u{1f600} \u0000`;
  const { a } = new Settler().settle({ a: text }, undefined);
  assert.equal(a, text);
});
