import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import { listLeftovers } from "../../../../src/engine/lifecycle/cleanUp.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import type { KnownApplications } from "../../../../src/spark/pods/leftovers.ts";
import { fakeCluster, forbidden } from "../fakeCluster.ts";

const { signal } = new AbortController();
const gone = [{ apiVersion: "v1", kind: "Pod", name: "pi", uid: "gone", controller: true }];

/** Returns a leftover ConfigMap of a driver in each of these namespaces. */
const mapsIn = (...namespaces: readonly string[]): readonly StoredObject[] =>
  namespaces.map((namespace) => ({
    ...{ apiVersion: "v1", kind: "ConfigMap", name: "spark-drv-0a-conf-map", namespace },
    ...{ uid: `u-${namespace}`, resourceVersion: "1" },
    body: { metadata: { ownerReferences: gone } },
  }));

/** Lists leftovers. `refuses` returns true if listing a kind is forbidden in a namespace, or in all (undefined). */
function look(
  isEverywhere: boolean,
  refuses: (kind: string, namespace: string | undefined) => boolean,
) {
  const asked: string[] = [];
  const stored = mapsIn("jobs", "night");
  const list: ObjectApi["list"] = ({ kind }, namespace) => {
    asked.push(`${kind} in ${namespace ?? "all"}`);
    if (refuses(kind, namespace)) return Promise.resolve(err(forbidden("list", kind)));
    return Promise.resolve(
      ok(
        stored.filter(
          (one) => one.kind === kind && (namespace === undefined || one.namespace === namespace),
        ),
      ),
    );
  };
  const { objects } = fakeCluster();
  const knownIn = (): KnownApplications => ({ needed: new Set(), lostDrivers: new Map() });
  const where = { isEverywhere, namespaces: ["jobs"], knownIn };
  return listLeftovers({ ...objects, list }, where, undefined, signal).then((found) => ({
    asked,
    found: found.leftovers.map(({ namespace }) => namespace),
    notListed: found.notListed.map(({ kind }) => kind),
    notEverywhere: found.notEverywhere,
  }));
}

test("lists pods last, so that an owner created meanwhile is seen", async () => {
  const { asked, found } = await look(false, () => false);
  assert.equal(asked.at(-1), "Pod in jobs");
  assert.deepEqual(found, ["jobs"]);
});

test("reports no leftovers if pods cannot be listed; other kinds are only missing", async () => {
  const blind = await look(false, (kind) => kind === "Pod");
  assert.deepEqual([blind.found, blind.notListed], [[], ["Pod"]]);
  const rest = await look(false, (kind) => kind === "StatefulSet");
  assert.deepEqual([rest.found, rest.notListed], [["jobs"], ["StatefulSet"]]);
});

test("covers namespaces without known applications if all are requested", async () => {
  const all = await look(true, () => false);
  assert.deepEqual([all.found, all.notEverywhere], [["jobs", "night"], []]);
  assert.ok(all.asked.every((line) => line.endsWith(" in all")));
});

test("lists known namespaces if a cluster-wide list is forbidden, and reports that", async () => {
  const refusedMaps = await look(true, (kind, place) => kind === "ConfigMap" && !place);
  assert.deepEqual(
    [refusedMaps.found, refusedMaps.notListed, refusedMaps.notEverywhere],
    [["jobs"], [], ["ConfigMap"]],
  );
  const refusedPods = await look(true, (kind, place) => kind === "Pod" && !place);
  assert.deepEqual([refusedPods.found, refusedPods.notEverywhere], [["jobs"], ["Pod"]]);
});
