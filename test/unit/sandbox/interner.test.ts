import assert from "node:assert/strict";
import { test } from "node:test";
import { Interner } from "../../../src/sandbox/api/interner.ts";
import type { JsonMembers } from "../../../src/sandbox/kubeObject.ts";

test("shares equal values with the previous version at any depth", () => {
  const before = { metadata: { name: "a" }, spec: { list: [{ name: "x" }, { name: "y" }] } };
  const next = { ...structuredClone(before), status: { phase: "Running" } };
  const settled = new Interner().intern(next, before, undefined);
  assert.deepEqual(settled, next);
  assert.equal(settled.spec, before.spec);
  assert.equal(settled.metadata, before.metadata);
});

test("shares equal values with the object stored last", () => {
  const last = { metadata: { name: "exec-1" }, spec: { volumes: [{ name: "x" }], node: "n" } };
  const next = { metadata: { name: "exec-2" }, spec: structuredClone(last.spec) };
  const interner = new Interner();
  const settled = interner.intern(next, undefined, last);
  assert.deepEqual(settled, next);
  assert.equal(settled.spec, last.spec);
  const status = { conditions: [{ type: "Ready" }] };
  const later = { ...settled, status: structuredClone(status) };
  assert.equal(interner.intern(later, settled, { ...last, status }).status, status);
});

test("copies a changed list and shares its unchanged items", () => {
  const before = { list: [{ name: "x" }, { name: "y" }] };
  const settled = new Interner().intern(
    { list: [{ name: "x" }, { name: "z" }] },
    before,
    undefined,
  );
  assert.deepEqual(settled, { list: [{ name: "x" }, { name: "z" }] });
  assert.equal(settled.list[0], before.list[0]);
});

test("distinguishes removed and added members, lists and objects, and null", () => {
  const pairs: readonly (readonly [JsonMembers, JsonMembers])[] = [
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: [] }, { a: {} }],
    [{ a: {} }, { a: [] }],
    [{ a: null }, { b: null }],
    [{ a: "" }, { a: null }],
    [{ toString: "x" }, {}],
  ];
  for (const [next, old] of pairs) {
    const what = JSON.stringify([next, old]);
    assert.deepEqual(new Interner().intern(next, old, undefined), next, what);
    assert.deepEqual(new Interner().intern(next, undefined, old), next, what);
    assert.deepEqual(new Interner().intern(next, {}, old), next, what);
  }
});

test("keeps a member named __proto__ as an own property", () => {
  const next = JSON.parse('{"__proto__":{"polluted":true},"constructor":"c"}') as JsonMembers;
  const settled = new Interner().intern(next, undefined, undefined);
  assert.equal(JSON.stringify(settled), JSON.stringify(next));
  assert.equal(Object.getPrototypeOf(settled), Object.prototype);
});

test("keeps every character of a string", () => {
  const text = `${"x".repeat(20)} "quoted" \\ \u2028 \u{1f600} \u0000`;
  const { a } = new Interner().intern({ a: text }, undefined, undefined);
  assert.equal(a, text);
});
