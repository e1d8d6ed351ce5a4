import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";
import type { JsonMembers, JsonValue } from "../../../../src/sandbox/kubeObject.ts";
import { jsonPatch } from "../../../../src/sandbox/patch/jsonPatch.ts";
import { mergePatch } from "../../../../src/sandbox/patch/mergePatch.ts";
import { strategicPatch } from "../../../../src/sandbox/patch/strategicPatch.ts";

const isRefused =
  (code: number) =>
  (error: unknown): boolean =>
    error instanceof Refusal && error.code === code;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

// Most rows are the examples of RFC 6902.
describe("a JSON patch", () => {
  const rows: readonly (readonly [title: string, JsonMembers, JsonMembers, JsonValue])[] = [
    [
      "adds a member",
      { foo: "bar" },
      { op: "add", path: "/baz", value: "qux" },
      { foo: "bar", baz: "qux" },
    ],
    ["replaces a member that exists", { a: 1 }, { op: "add", path: "/a", value: 2 }, { a: 2 }],
    ["inserts an item", { a: [1, 3] }, { op: "add", path: "/a/1", value: 2 }, { a: [1, 2, 3] }],
    ["appends an item", { a: [1] }, { op: "add", path: "/a/-", value: 2 }, { a: [1, 2] }],
    ["appends at the length", { a: [1] }, { op: "add", path: "/a/1", value: 2 }, { a: [1, 2] }],
    ["adds null without a value", { a: 1 }, { op: "add", path: "/b" }, { a: 1, b: null }],
    ["removes a member", { a: 1, b: 2 }, { op: "remove", path: "/b" }, { a: 1 }],
    ["removes an item", { a: [1, 2, 3] }, { op: "remove", path: "/a/1" }, { a: [1, 3] }],
    ["replaces a value", { a: [1, 2] }, { op: "replace", path: "/a/0", value: 9 }, { a: [9, 2] }],
    [
      "replaces a missing member",
      { a: 1 },
      { op: "replace", path: "/b", value: 2 },
      { a: 1, b: 2 },
    ],
    ["replaces the document", { a: 1 }, { op: "replace", path: "", value: { b: 2 } }, { b: 2 }],
    [
      "moves a member",
      { a: { x: 1 }, b: {} },
      { op: "move", from: "/a/x", path: "/b/y" },
      { a: {}, b: { y: 1 } },
    ],
    [
      "moves an item",
      { a: [1, 2, 3] },
      { op: "move", from: "/a/0", path: "/a/2" },
      { a: [2, 3, 1] },
    ],
    [
      "copies a value into a list",
      { a: [1, 2] },
      { op: "copy", from: "/a/1", path: "/a/0" },
      { a: [2, 1, 2] },
    ],
    [
      "passes an equal value",
      { a: { b: [1] } },
      { op: "test", path: "/a", value: { b: [1] } },
      { a: { b: [1] } },
    ],
    [
      "decodes slashes and tildes",
      { "a/b": 1, "m~n": 2 },
      { op: "remove", path: "/a~1b" },
      { "m~n": 2 },
    ],
    ["decodes a tilde before a one", { "~1": 1 }, { op: "remove", path: "/~01" }, {}],
    [
      "changes a nested item",
      { a: [{ b: 1 }] },
      { op: "replace", path: "/a/0/b", value: 2 },
      { a: [{ b: 2 }] },
    ],
  ];
  for (const [title, target, operation, expected] of rows) {
    test(title, () => {
      const before = JSON.stringify(target);
      assert.deepEqual(plain(jsonPatch(target, [operation])), expected);
      assert.equal(JSON.stringify(target), before, "the target is not changed");
    });
  }

  for (const [title, operation] of [
    ["an unknown operation", { op: "nothing", path: "/a" }],
    ["no operation", { path: "/a" }],
    ["no path", { op: "remove" }],
    ["a path without a slash", { op: "remove", path: "a" }],
    ["the removal of a missing member", { op: "remove", path: "/none" }],
    ["the removal of an inherited member", { op: "remove", path: "/toString" }],
    ["an index beyond the end", { op: "add", path: "/list/3", value: 1 }],
    ["a negative index", { op: "add", path: "/list/-1", value: 1 }],
    ["an index that is no number", { op: "add", path: "/list/x", value: 1 }],
    ["a member of a number", { op: "add", path: "/a/b", value: 1 }],
    ["a copy of a missing member", { op: "copy", from: "/none", path: "/a" }],
    ["a move of a missing member", { op: "move", from: "/none", path: "/a" }],
    ["a failed test", { op: "test", path: "/a", value: "1" }],
    ["a test of a missing member", { op: "test", path: "/none", value: 1 }],
  ] as const) {
    test(`refuses ${title}`, () => {
      assert.throws(() => jsonPatch({ a: 1, list: [1, 2] }, [operation]), isRefused(422));
    });
  }

  test("is a list, whose operations build on each other", () => {
    assert.throws(() => jsonPatch({}, { op: "add" }), isRefused(400));
    const steps = [
      { op: "add", path: "/a", value: [] },
      { op: "add", path: "/a/-", value: 1 },
      { op: "copy", from: "/a/0", path: "/b" },
    ];
    assert.deepEqual(jsonPatch({}, steps), { a: [1], b: 1 });
  });

  test("never changes a prototype", () => {
    const patched = jsonPatch({}, [{ op: "add", path: "/__proto__", value: { evil: true } }]);
    assert.equal(Object.getPrototypeOf(patched), Object.prototype);
    assert.equal(Object.hasOwn(patched as object, "__proto__"), true);
  });
});

// The rows are the test cases of RFC 7386.
describe("a merge patch", () => {
  for (const [target, patch, expected] of [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ] as const) {
    test(`${JSON.stringify(patch)} makes ${JSON.stringify(expected)} of ${JSON.stringify(target)}`, () => {
      assert.deepEqual(mergePatch(target, patch), expected);
    });
  }
});

describe("a strategic merge patch", () => {
  const kinds = new Kinds((error) => {
    throw error;
  });
  const patched = (resource: string, target: JsonMembers, patch: JsonMembers): JsonMembers => {
    const kind = kinds.find("", "v1", resource) ?? assert.fail(resource);
    const before = JSON.stringify(target);
    const result = strategicPatch(target, patch, kind.schema);
    assert.equal(JSON.stringify(target), before, "the target is not changed");
    return result;
  };
  const a = { name: "a", image: "x:1" };
  const b = { name: "b", image: "y:1" };
  const containers = (...list: JsonMembers[]): JsonMembers => ({ spec: { containers: list } });
  const ofPod = (target: JsonMembers, patch: JsonMembers): JsonMembers =>
    patched("pods", target, patch);

  test("merges items with the same key and appends others", () => {
    assert.deepEqual(
      ofPod(containers(a, b), containers({ name: "b", image: "y:2" }, { name: "c", image: "z" })),
      containers(a, { name: "b", image: "y:2" }, { name: "c", image: "z" }),
    );
    const env = (...list: JsonMembers[]): JsonMembers => containers({ ...a, env: list });
    assert.deepEqual(
      ofPod(env({ name: "A", value: "1" }), env({ name: "B", value: "2" })),
      env({ name: "A", value: "1" }, { name: "B", value: "2" }),
    );
  });

  test("deletes an item, a member and the content of an object", () => {
    assert.deepEqual(
      ofPod(containers(a, b), containers({ name: "a", $patch: "delete" })),
      containers(b),
    );
    assert.deepEqual(
      ofPod(containers(a), containers({ name: "c", $patch: "delete" })),
      containers(a),
    );
    const spec = { nodeName: "n", nodeSelector: { a: "1" } };
    assert.deepEqual(ofPod({ spec }, { spec: { nodeName: null } }), {
      spec: { nodeSelector: { a: "1" } },
    });
    assert.deepEqual(ofPod({ spec }, { spec: { nodeSelector: { $patch: "delete" } } }), {
      spec: { nodeName: "n", nodeSelector: {} },
    });
  });

  test("replaces a list or an object, without the directives", () => {
    assert.deepEqual(ofPod(containers(a, b), containers({ $patch: "replace" }, b)), containers(b));
    const spec = { nodeSelector: { a: "1" } };
    assert.deepEqual(ofPod({ spec }, { spec: { nodeSelector: { $patch: "replace", b: "2" } } }), {
      spec: { nodeSelector: { b: "2" } },
    });
  });

  test("replaces a list without a merge strategy", () => {
    assert.deepEqual(
      ofPod(containers({ ...a, args: ["1", "2"] }), containers({ name: "a", args: ["3"] })),
      containers({ ...a, args: ["3"] }),
    );
  });

  test("merges a list of values, and deletes values from it", () => {
    const finalizers = (...list: string[]): JsonMembers => ({ metadata: { finalizers: list } });
    assert.deepEqual(
      ofPod(finalizers("x/a", "x/b"), finalizers("x/b", "x/c")),
      finalizers("x/a", "x/b", "x/c"),
    );
    const dropping = { metadata: { "$deleteFromPrimitiveList/finalizers": ["x/a", "x/z"] } };
    assert.deepEqual(ofPod(finalizers("x/a", "x/b"), dropping), finalizers("x/b"));
    assert.deepEqual(ofPod({ metadata: {} }, dropping), { metadata: {} });
  });

  test("orders items, and keeps the place of those that the order does not name", () => {
    const c = { name: "c", image: "z" };
    const ordering = (...names: string[]): JsonMembers => ({
      spec: { "$setElementOrder/containers": names.map((name) => ({ name })) },
    });
    assert.deepEqual(ofPod(containers(a, b, c), ordering("c", "b", "a")), containers(c, b, a));
    assert.deepEqual(ofPod(containers(a, b, c), ordering("c", "a")), containers(c, b, a));
    const values = { metadata: { finalizers: ["x/a", "x/b"] } };
    const order = { metadata: { "$setElementOrder/finalizers": ["x/b", "x/a"] } };
    assert.deepEqual(ofPod(values, order), { metadata: { finalizers: ["x/b", "x/a"] } });
    assert.deepEqual(ofPod({ metadata: {} }, order), { metadata: {} });
  });

  test("retains only the named members", () => {
    const volume = (more: JsonMembers): JsonMembers => ({
      spec: { volumes: [{ name: "v", ...more }] },
    });
    assert.deepEqual(
      ofPod(
        volume({ emptyDir: {} }),
        volume({ $retainKeys: ["name", "hostPath"], hostPath: { path: "/x" } }),
      ),
      volume({ hostPath: { path: "/x" } }),
    );
  });

  test("merges ports of a service by their number, and refuses an item without a key", () => {
    const ports = (...list: JsonMembers[]): JsonMembers => ({ spec: { ports: list } });
    assert.deepEqual(
      patched(
        "services",
        ports({ port: 1, name: "a" }),
        ports({ port: 1, name: "b" }, { port: 2 }),
      ),
      ports({ port: 1, name: "b" }, { port: 2 }),
    );
    assert.throws(() => patched("services", ports(), ports({ name: "c" })), isRefused(400));
  });
});
