import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import {
  findExecutorSets,
  scaleExecutors,
  type FoundSet,
} from "../../../../src/engine/lifecycle/scaleExecutors.ts";
import type { Application } from "../../../../src/spark/pods/application.ts";
import { emptyModel, updateApplications } from "../../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../../src/spark/pods/ordered.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import { driverFixture, podFixture } from "../../pods/podFixture.ts";

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
  answers: readonly Result<void, ClusterError>[] = [ok(undefined)],
): { readonly objects: ObjectApi; readonly patches: Patched[] } {
  const patches: Patched[] = [];
  let version = 41;
  const stored = (name: string, kind: string, body: unknown): StoredObject => ({
    ...{ apiVersion: "apps/v1", kind, name, namespace: "jobs" },
    ...{ uid: "uid-set", resourceVersion: String((version += 1)), body },
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
      const answer = answers[patches.length] ?? ok(undefined);
      patches.push({ name, patch });
      return Promise.resolve(answer.ok ? ok(stored(name, kind, {})) : answer);
    },
  };
  return { objects, patches };
}

const application = ((): Application => {
  const labels = { ...podFixture().labels, "spark-exec-resourceprofile-id": "2" };
  const added = [driverFixture(), podFixture({ labels })];
  const { model } = updateApplications(emptyModel, { added, modified: [], removed: [] });
  const only = firstOf(model.applications);
  assert.ok(only);
  return only;
})();

test("finds an application's sets by Spark's names, for each resource profile", async () => {
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

test("reports that sets are forbidden, and returns none without error if there are none", async () => {
  const none = await findExecutorSets(fakeObjects({}).objects, application, signal);
  assert.deepEqual(none, ok([]));
  const { objects } = fakeObjects({ "Deployment spark-d-spark-1-0": err(forbidden) });
  assert.deepEqual(await findExecutorSets(objects, application, signal), err(forbidden));
});

test("scales one kind of set if the other is forbidden", async () => {
  const { objects } = fakeObjects({
    "StatefulSet spark-s-spark-1-0": ok({ spec: { replicas: 3 } }),
    "Deployment spark-d-spark-1-0": err(forbidden),
  });
  const found = await findExecutorSets(objects, application, signal);
  assert.ok(found.ok);
  assert.deepEqual(
    found.value.map(({ name }) => name),
    ["spark-s-spark-1-0"],
  );
});

const patchOf = (resourceVersion: string, replicas: number): Patched => ({
  name: "spark-s-spark-1-0",
  patch: { metadata: { resourceVersion }, spec: { replicas } },
});

async function foundSet(objects: ObjectApi): Promise<FoundSet> {
  const found = await findExecutorSets(objects, application, signal);
  const [only] = found.ok ? found.value : [];
  assert.ok(only);
  return only;
}

test("scales a set although executors started and ended since it was found", async () => {
  const set = { "StatefulSet spark-s-spark-1-0": ok({ spec: { replicas: 3 } }) };
  const { objects, patches } = fakeObjects(set, [err(conflict), err(conflict), ok(undefined)]);
  const only = await foundSet(objects);
  assert.deepEqual(await scaleExecutors(objects, only, 5, signal), ok(undefined));
  // Each read of the StatefulSet returns a newer version.
  assert.deepEqual(patches, [patchOf("43", 5), patchOf("44", 5), patchOf("45", 5)]);
});

test("leaves a set alone whose number has changed", async () => {
  const sets = { "StatefulSet spark-s-spark-1-0": ok({ spec: { replicas: 3 } }) };
  const only = await foundSet(fakeObjects(sets).objects);
  const changed = { "StatefulSet spark-s-spark-1-0": ok({ spec: { replicas: 4 } }) };
  const { objects, patches } = fakeObjects(changed);
  const scaled = await scaleExecutors(objects, only, 5, signal);
  assert.ok(!scaled.ok && scaled.error.kind === "conflict");
  assert.match(scaled.error.detail, /requests 4 replicas/);
  const replaced = await scaleExecutors(
    fakeObjects(sets).objects,
    { ...only, uid: "another" },
    5,
    signal,
  );
  assert.ok(!replaced.ok && replaced.error.kind === "conflict");
  assert.deepEqual(patches, []);
});
