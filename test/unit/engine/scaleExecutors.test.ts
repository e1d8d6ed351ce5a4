import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok, type Result } from "../../../src/base/result.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { ObjectApi, StoredObject } from "../../../src/engine/ports.ts";
import { findExecutorSets, scaleExecutors } from "../../../src/engine/scaleExecutors.ts";
import type { JsonObject } from "../../../src/spark/submit/manifest.ts";

const { signal } = new AbortController();
const notFound: ClusterError = { kind: "notFound", resource: "sets", name: "s", detail: "" };
const forbidden: ClusterError = {
  ...{ kind: "forbidden", verb: "get", resource: "deployments", namespace: "jobs", detail: "no" },
};
const conflict: ClusterError = { kind: "conflict", resource: "sets", name: "s", detail: "" };

const notForThis = (): never => {
  throw new Error("not asked for here");
};

interface Patched {
  readonly name: string;
  readonly patch: JsonObject;
}

function fakeObjects(
  sets: Readonly<Record<string, Result<unknown, ClusterError>>>,
  answer: Result<void, ClusterError> = ok(undefined),
): { readonly objects: ObjectApi; readonly patches: Patched[] } {
  const patches: Patched[] = [];
  const stored = (name: string, kind: string, body: unknown): StoredObject => ({
    ...{ apiVersion: "apps/v1", kind, name, namespace: "jobs" },
    ...{ uid: "uid-set", resourceVersion: "41", body },
  });
  const objects: ObjectApi = {
    create: notForThis,
    apply: notForThis,
    replace: notForThis,
    delete: notForThis,
    list: notForThis,
    read: ({ apiVersion, kind, namespace, name }) => {
      assert.deepEqual([apiVersion, namespace], ["apps/v1", "jobs"]);
      const found = sets[`${kind} ${name}`] ?? err(notFound);
      return Promise.resolve(found.ok ? ok(stored(name, kind, found.value)) : found);
    },
    patch: ({ kind, name }, patch) => {
      patches.push({ name, patch });
      return Promise.resolve(answer.ok ? ok(stored(name, kind, {})) : answer);
    },
  };
  return { objects, patches };
}

const application = {
  id: "spark-1",
  namespace: "jobs",
  profiles: [
    { profile: "2", counts: { pending: 0, running: 1, failed: 0, finished: 0, unknown: 0 } },
  ],
};

test("the sets of an application are found by Spark's names for them, of each resource profile", async () => {
  const { objects } = fakeObjects({
    "StatefulSet spark-s-spark-1-0": ok({
      spec: { replicas: 3, volumeClaimTemplates: [{ metadata: { name: "spill" } }] },
    }),
    "Deployment spark-d-spark-1-2": ok({ spec: { replicas: 0 } }),
  });
  const found = await findExecutorSets(objects, application, signal);
  assert.ok(found.ok);
  assert.deepEqual(
    found.value.map(({ kind, name, profile, replicas, hasClaims }) => [
      ...[kind, name, profile, replicas, hasClaims],
    ]),
    [
      ["StatefulSet", "spark-s-spark-1-0", "0", 3, true],
      ["Deployment", "spark-d-spark-1-2", "2", 0, false],
    ],
  );
});

test("who may not see the sets is told so, and no set is no failure", async () => {
  const none = await findExecutorSets(fakeObjects({}).objects, application, signal);
  assert.deepEqual(none, ok([]));
  const { objects } = fakeObjects({ "Deployment spark-d-spark-1-0": err(forbidden) });
  assert.deepEqual(await findExecutorSets(objects, application, signal), err(forbidden));
});

test("a set is scaled only as it was found, as its driver may have changed it meanwhile", async () => {
  const set = { "StatefulSet spark-s-spark-1-0": ok({ spec: { replicas: 3 } }) };
  const { objects, patches } = fakeObjects(set);
  const found = await findExecutorSets(objects, application, signal);
  const [only] = found.ok ? found.value : [];
  assert.ok(only);
  assert.deepEqual(await scaleExecutors(objects, only, 5, signal), ok(undefined));
  assert.deepEqual(patches, [
    {
      name: "spark-s-spark-1-0",
      patch: { metadata: { resourceVersion: "41" }, spec: { replicas: 5 } },
    },
  ]);
  const changed = fakeObjects(set, err(conflict));
  assert.deepEqual(await scaleExecutors(changed.objects, only, 5, signal), err(conflict));
});
