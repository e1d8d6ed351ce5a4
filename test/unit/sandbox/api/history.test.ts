import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { History } from "../../../../src/sandbox/api/history.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";

function start(t: TestContext) {
  const objects = new Objects(
    () => 0,
    (error) => {
      throw error;
    },
  );
  const history = new History(objects);
  t.after(() => {
    history.dispose();
  });
  const add = (name: string, resource = "secrets"): number => {
    objects.create(resource, {
      apiVersion: "v1",
      kind: "X",
      metadata: { name, namespace: "jobs" },
    });
    return objects.resourceVersion;
  };
  const key = (name: string) => ({ resource: "secrets", namespace: "jobs", name });
  const namesAt = (version: number): readonly string[] =>
    history.listAt("secrets", version).map(({ metadata }) => metadata.name);
  const isGone = (action: () => unknown): boolean => {
    try {
      action();
      return false;
    } catch (error) {
      assert.ok(error instanceof Refusal && error.code === 410);
      return true;
    }
  };
  return { objects, history, add, key, namesAt, isGone };
}

test("returns the changes of a resource after a resource version", (t) => {
  const { history, add, objects } = start(t);
  const beginning = objects.resourceVersion;
  const first = add("a");
  add("other", "configmaps");
  add("b");
  const after = (version: number): readonly string[] =>
    history.after("secrets", version).map(({ kind, object }) => `${kind} ${object.metadata.name}`);
  assert.deepEqual(after(beginning), ["added a", "added b"]);
  assert.deepEqual(after(first), ["added b"]);
  assert.deepEqual(after(objects.resourceVersion), []);
});

test("lists the objects as of a resource version", (t) => {
  const { objects, history, add, key, namesAt } = start(t);
  const one = add("a");
  const two = add("b");
  objects.update(key("a"), (object) => ({ ...object, data: "new" }));
  objects.drop(key("b"));
  add("c");
  assert.deepEqual(namesAt(one), ["a"]);
  assert.deepEqual([...namesAt(two)].sort(), ["a", "b"]);
  assert.deepEqual([...namesAt(objects.resourceVersion)].sort(), ["a", "c"]);
  assert.equal(
    history.listAt("secrets", two).find((o) => o.metadata.name === "a")?.["data"],
    undefined,
  );
});

test("has at least the last 1,000 changes, and 410 before them", (t) => {
  const { history, add, objects, isGone } = start(t);
  const beginning = objects.resourceVersion;
  for (let index = 0; index < 1_999; index += 1) add(`s-${index}`);
  assert.equal(history.after("secrets", beginning).length, 1_999);
  add("last");
  assert.equal(
    isGone(() => history.after("secrets", beginning)),
    true,
  );
  assert.equal(history.after("secrets", objects.resourceVersion - 1_000).length, 1_000);
  assert.equal(
    isGone(() => history.after("secrets", objects.resourceVersion - 1_001)),
    true,
  );
});

test("has no changes before a compaction, nor before its start", (t) => {
  const { history, add, objects, isGone } = start(t);
  const first = add("a");
  history.compact();
  assert.equal(
    isGone(() => history.after("secrets", first - 1)),
    true,
  );
  assert.equal(
    isGone(() => history.listAt("secrets", first - 1)),
    true,
  );
  assert.deepEqual(history.after("secrets", first), []);
  history.compact();
  add("b");
  assert.equal(history.after("secrets", first).length, 1);
  const late = new History(objects);
  assert.equal(
    isGone(() => late.after("secrets", first)),
    true,
  );
  late.dispose();
});
