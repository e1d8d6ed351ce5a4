import assert from "node:assert/strict";
import { test } from "node:test";
import { lookForLeftovers } from "../../../src/engine/cleanUp.ts";
import type { Manifest } from "../../../src/spark/submit/manifest.ts";
import { fakeCluster, type FakeContents } from "./fakeCluster.ts";

const { signal } = new AbortController();
const map: Manifest = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "spark-drv-0a-conf-map",
    ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "pi", uid: "gone", controller: true }],
  },
};

async function look(refused: FakeContents["refused"]): Promise<readonly [string, ...string[]]> {
  const cluster = fakeCluster({ manifests: [map], refused: refused ?? {} });
  const { objects, asked } = cluster;
  const known = { needed: new Set<string>(), lostDrivers: new Map<string, string>() };
  const found = await lookForLeftovers(objects, "jobs", known, undefined, signal);
  const names = found.leftovers.map(({ name }) => name);
  const unseen = found.notListed.map(({ kind }) => kind);
  return [asked.at(-1) ?? "", ...names, ...unseen];
}

const forbidden = { kind: "notFound", resource: "x", name: "", detail: "" } as const;

test("pods are listed last, so that an owner that has come meanwhile is seen", async () => {
  assert.deepEqual(await look({}), ["list Pod", "spark-drv-0a-conf-map"]);
});

test("nothing is taken for left behind where pods cannot be listed; other kinds only stay unseen", async () => {
  assert.deepEqual(await look({ "list Pod": forbidden }), ["list Pod", "Pod"]);
  const rest = await look({ "list StatefulSet": forbidden });
  assert.deepEqual(rest, ["list Pod", "spark-drv-0a-conf-map", "StatefulSet"]);
});
