import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Objects, type Change } from "../../../../src/sandbox/api/objects.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { rethrow } from "./apiRig.ts";

const key = { resource: "things", namespace: "jobs", name: "one" };
const objectOf = (metadata: JsonMembers = {}, more: JsonMembers = {}): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Thing", metadata: { name: "one", namespace: "jobs", ...metadata } },
  ...more,
});

function store() {
  const clock = { time: 0 };
  const objects = new Objects(() => clock.time, rethrow);
  const changes: Change[] = [];
  objects.onDidChange((change) => void changes.push(change));
  const told = (): readonly string[] =>
    changes.splice(0).map(({ kind, object }) => `${kind} ${object.metadata.name}`);
  return { objects, told, clock };
}

describe("an object that is removed", () => {
  test("is deleted at once without finalizers", () => {
    const { objects, told } = store();
    objects.create("things", objectOf());
    objects.remove(key);
    assert.equal(objects.get(key), undefined);
    assert.deepEqual(told(), ["added one", "deleted one"]);
    objects.remove(key);
    assert.deepEqual(told(), []);
  });

  test("stays with finalizers, and does not change again", () => {
    const { objects, told, clock } = store();
    objects.create("things", objectOf({ finalizers: ["a"] }));
    clock.time = 1000;
    objects.remove(key);
    const left = objects.get(key);
    assert.equal(left?.metadata.deletionTimestamp, "1970-01-01T00:00:01Z");
    assert.equal(left.metadata.deletionGracePeriodSeconds, 0);
    clock.time = 2000;
    objects.remove(key);
    assert.equal(objects.get(key), left);
    assert.deepEqual(told(), ["added one", "modified one"]);
  });

  test("loses its grace period and keeps its deletion time", () => {
    const { objects } = store();
    const metadata = { deletionTimestamp: "t", finalizers: ["a"] };
    objects.create("things", objectOf({ ...metadata, deletionGracePeriodSeconds: 30 }));
    objects.remove(key);
    const left = objects.get(key)?.metadata;
    assert.deepEqual([left?.deletionTimestamp, left?.deletionGracePeriodSeconds], ["t", 0]);
  });

  test("stays if only its grace period is 0", () => {
    const { objects } = store();
    objects.create("things", objectOf({ deletionGracePeriodSeconds: 0 }));
    objects.update(key, (object) => ({ ...object, data: 1 }));
    assert.equal(objects.get(key)?.["data"], 1);
  });

  test("is dropped with finalizers", () => {
    const { objects, told } = store();
    objects.create("things", objectOf({ finalizers: ["a"] }));
    objects.drop(key);
    assert.equal(objects.get(key), undefined);
    objects.drop(key);
    assert.deepEqual(told(), ["added one", "deleted one"]);
  });

  for (const [title, kind, spec, isHeld] of [
    ["is held by finalizers in the spec of a namespace", "Namespace", { finalizers: ["a"] }, true],
    ["is not held by an empty list in the spec", "Namespace", { finalizers: [] }, false],
    ["is not held without a list in the spec", "Namespace", { finalizers: "a" }, false],
    ["is not held without a spec", "Namespace", null, false],
    ["is not held by the spec of another kind", "Thing", { finalizers: ["a"] }, false],
  ] as const) {
    test(title, () => {
      const { objects } = store();
      objects.create("things", objectOf({}, { kind, spec }));
      objects.remove(key);
      assert.equal(objects.get(key) !== undefined, isHeld);
    });
  }
});

describe("a store", () => {
  test("creates an object once", () => {
    const { objects, told } = store();
    const created = objects.create("things", objectOf({ uid: "u" }));
    assert.equal(created?.metadata.uid, "u");
    assert.equal(created.metadata.resourceVersion, String(objects.resourceVersion));
    assert.equal(objects.create("things", objectOf()), undefined);
    assert.equal(objects.get(key), created);
    assert.deepEqual(told(), ["added one"]);
  });

  test("lists the objects of a namespace, or all, in the order of their creation", () => {
    const { objects } = store();
    for (const [name, namespace] of [
      ["b", "jobs"],
      ["a", "other"],
      ["c", undefined],
      ["a", "jobs"],
    ] as const) {
      objects.create("things", objectOf({ name, namespace }));
    }
    const names = (namespace?: string): string =>
      objects
        .list("things", namespace)
        .map(({ metadata }) => metadata.name)
        .join(" ");
    assert.deepEqual(
      [names(), names("jobs"), names("other"), names("")],
      ["b a c a", "b a", "a", "c"],
    );
    assert.deepEqual(objects.list("none"), []);
  });

  test("stores no update that returns its argument, and none of a missing object", () => {
    const { objects, told } = store();
    const created = objects.create("things", objectOf());
    assert.equal(
      objects.update(key, (object) => object),
      created,
    );
    assert.equal(
      objects.update({ ...key, name: "none" }, () => assert.fail("called")),
      undefined,
    );
    assert.deepEqual(told(), ["added one"]);
  });

  test("delivers a change of a listener after the change that it handles", () => {
    const { objects } = store();
    const told: string[] = [];
    objects.onDidChange(({ kind }) => {
      told.push(`first ${kind}`);
      if (kind === "added") objects.update(key, (object) => ({ ...object, data: 1 }));
    });
    objects.onDidChange(({ kind, before }) => {
      told.push(`second ${kind} ${before?.metadata.name ?? "none"}`);
    });
    objects.create("things", objectOf());
    assert.deepEqual(told, [
      "first added",
      "second added none",
      "first modified",
      "second modified one",
    ]);
    objects.drop(key);
    assert.deepEqual(told.slice(4), ["first deleted", "second deleted one"]);
  });

  test("stores events like other objects", () => {
    const { objects } = store();
    const created = objects.create("events", objectOf({}, { reason: "Started" }));
    const events = { ...key, resource: "events" };
    assert.deepEqual(objects.get(events), created);
    objects.update(events, (event) => ({ ...event, count: 2 }));
    assert.deepEqual(
      objects.list("events").map(({ count, reason }) => [count, reason]),
      [[2, "Started"]],
    );
  });
});
