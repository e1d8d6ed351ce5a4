import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import { countExecutorPods } from "../../../../src/engine/submit/countExecutorPods.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import { forbidden } from "../fakeCluster.ts";

const { signal } = new AbortController();

const executor = (name: string, owner: string | undefined): StoredObject => {
  const metadata = { name, namespace: "jobs", uid: `uid-${name}`, resourceVersion: "1" };
  const ownerReferences = owner === undefined ? [] : [{ uid: owner, kind: "Pod", name: "driver" }];
  const body = { metadata: { ...metadata, ownerReferences } };
  return { apiVersion: "v1", kind: "Pod", ...metadata, body };
};

test("counts the executor pods of each driver of a namespace in one list", async () => {
  const asked: unknown[] = [];
  const list: ObjectApi["list"] = (kind, namespace, selector) => {
    asked.push([kind, namespace, selector]);
    const pods = [executor("a-1", "a"), executor("b-1", "b"), executor("a-2", "a")];
    return Promise.resolve(ok([...pods, executor("alone", undefined), executor("a-3", "a")]));
  };
  const counted = await countExecutorPods({ list }, "jobs", signal);
  assert.ok(counted.ok);
  assert.deepEqual(
    [...counted.value],
    [
      ["a", 3],
      ["b", 1],
    ],
  );
  assert.deepEqual(asked, [[{ apiVersion: "v1", kind: "Pod" }, "jobs", "spark-role=executor"]]);
});

test("ignores items that are not pods", async () => {
  const list: ObjectApi["list"] = () =>
    Promise.resolve(ok([{ ...executor("a-1", "a"), body: "no object" }]));
  const counted = await countExecutorPods({ list }, "jobs", signal);
  assert.ok(counted.ok);
  assert.equal(counted.value.size, 0);
});

test("returns the error of the list", async () => {
  const refused = err(forbidden("list", "pods"));
  const counted = await countExecutorPods({ list: () => Promise.resolve(refused) }, "jobs", signal);
  assert.deepEqual(counted, refused);
});
