import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import { lookForLeftovers } from "../../../src/engine/cleanUp.ts";
import type { ObjectApi, StoredObject } from "../../../src/engine/ports.ts";
import type { KnownApplications } from "../../../src/spark/pods/leftovers.ts";
import { fakeCluster, forbidden } from "./fakeCluster.ts";

const { signal } = new AbortController();
const gone = [{ apiVersion: "v1", kind: "Pod", name: "pi", uid: "gone", controller: true }];

/** A map that a driver's pod has left behind, in each of these namespaces. */
const mapsIn = (...namespaces: readonly string[]): readonly StoredObject[] =>
  namespaces.map((namespace) => ({
    ...{ apiVersion: "v1", kind: "ConfigMap", name: "spark-drv-0a-conf-map", namespace },
    ...{ uid: `u-${namespace}`, resourceVersion: "1" },
    body: { metadata: { ownerReferences: gone } },
  }));

/** `refuses`: a kind in a namespace, or in all of them. */
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
  return lookForLeftovers({ ...objects, list }, where, undefined, signal).then((found) => ({
    asked,
    found: found.leftovers.map(({ namespace }) => namespace),
    notListed: found.notListed.map(({ kind }) => kind),
    notEverywhere: found.notEverywhere,
  }));
}

test("pods are listed last, so that an owner that has come meanwhile is seen", async () => {
  const { asked, found } = await look(false, () => false);
  assert.equal(asked.at(-1), "Pod in jobs");
  assert.deepEqual(found, ["jobs"]);
});

test("nothing is taken for left behind where pods cannot be listed; other kinds only stay unseen", async () => {
  const blind = await look(false, (kind) => kind === "Pod");
  assert.deepEqual([blind.found, blind.notListed], [[], ["Pod"]]);
  const rest = await look(false, (kind) => kind === "StatefulSet");
  assert.deepEqual([rest.found, rest.notListed], [["jobs"], ["StatefulSet"]]);
});

test("of all namespaces those count too in which no application is known", async () => {
  const all = await look(true, () => false);
  assert.deepEqual([all.found, all.notEverywhere], [["jobs", "night"], []]);
  assert.ok(all.asked.every((line) => line.endsWith(" in all")));
});

test("what is not shown of the whole cluster is looked for in the namespaces that are known, and told of", async () => {
  const refusedMaps = await look(true, (kind, place) => kind === "ConfigMap" && !place);
  assert.deepEqual(
    [refusedMaps.found, refusedMaps.notListed, refusedMaps.notEverywhere],
    [["jobs"], [], ["ConfigMap"]],
  );
  const refusedPods = await look(true, (kind, place) => kind === "Pod" && !place);
  assert.deepEqual([refusedPods.found, refusedPods.notEverywhere], [["jobs"], ["Pod"]]);
});
