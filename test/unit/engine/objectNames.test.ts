import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import { objectNames } from "../../../src/engine/objectNames.ts";
import type { ObjectApi, StoredObject } from "../../../src/engine/ports/objects.ts";

const stored = (name: string): StoredObject => ({
  apiVersion: "v1",
  kind: "Secret",
  name,
  namespace: "etl",
  uid: name,
  resourceVersion: "1",
  body: {},
});

test("returns the sorted names of the requested kind and namespace", async () => {
  const asked: unknown[] = [];
  const list: ObjectApi["list"] = (kind, namespace) => {
    asked.push(kind, namespace);
    return Promise.resolve(ok([stored("b"), stored("a")]));
  };
  const { signal } = new AbortController();
  assert.deepEqual(await objectNames({ list }, "PriorityClass", "etl", signal), ["a", "b"]);
  assert.deepEqual(asked, [{ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" }, "etl"]);
});

test("returns no names if listing is forbidden", async () => {
  const list: ObjectApi["list"] = () =>
    Promise.resolve(err({ kind: "unreachable", detail: "x" } as never));
  const { signal } = new AbortController();
  assert.deepEqual(await objectNames({ list }, "Secret", "etl", signal), []);
});
