import assert from "node:assert/strict";
import { test } from "node:test";
import { findLeftovers, type ListedObject } from "../../../src/spark/pods/leftovers.ts";

interface Facts {
  readonly id?: string;
  readonly owner?: string;
  readonly role?: string;
}

const listed = (kind: string, name: string, { id, owner, role }: Facts = {}): ListedObject => ({
  apiVersion: "v1",
  kind,
  namespace: "jobs",
  name,
  uid: `uid-${name}`,
  body: {
    metadata: {
      labels: {
        ...(id !== undefined && { "spark-app-selector": id }),
        ...(role !== undefined && { "spark-role": role }),
      },
      ...(owner !== undefined && { ownerReferences: [{ uid: owner }] }),
    },
  },
});

const living = {
  applicationIds: new Set(["spark-alive"]),
  podUids: new Set(["uid-alive-driver", "uid-dead-driver"]),
};

const all: readonly ListedObject[] = [
  listed("ConfigMap", "spark-exec-0a1b-conf-map", { id: "spark-dead", role: "executor" }),
  listed("ConfigMap", "spark-drv-0a1b-conf-map", { owner: "uid-gone" }),
  listed("ConfigMap", "spark-drv-0a1c-conf-map", { owner: "uid-alive-driver" }),
  listed("ConfigMap", "spark-drv-0a1d-conf-map"),
  listed("ConfigMap", "somebodys-own"),
  listed("Service", "dead-driver-svc", { id: "spark-dead" }),
  listed("Service", "alive-driver-svc", { id: "spark-alive" }),
  listed("PersistentVolumeClaim", "dead-pvc-0", { id: "spark-dead" }),
  listed("Pod", "dead-exec-1", { id: "spark-dead", role: "executor" }),
  listed("Pod", "dead-driver", { id: "spark-dead", role: "driver" }),
  listed("Pod", "other-dead-exec-1", { id: "spark-other", role: "executor" }),
];

test("what nobody needs is found, in the order in which it goes", () => {
  assert.deepEqual(
    findLeftovers(all, living, undefined).map(({ name }) => name),
    [
      "dead-exec-1",
      "other-dead-exec-1",
      "dead-pvc-0",
      "dead-driver-svc",
      "spark-exec-0a1b-conf-map",
      "spark-drv-0a1b-conf-map",
    ],
  );
});

test("one application's are never another's", () => {
  assert.deepEqual(
    findLeftovers(all, living, "spark-dead").map(({ name }) => name),
    ["dead-exec-1", "dead-pvc-0", "dead-driver-svc", "spark-exec-0a1b-conf-map"],
  );
  assert.deepEqual(findLeftovers(all, living, "spark-alive"), []);
});

test("a map that nobody owns may be on its way to a driver, and a set is known by its pods", () => {
  const set: ListedObject = {
    ...listed("StatefulSet", "spark-s-dead-0"),
    body: { spec: { template: { metadata: { labels: { "spark-app-selector": "spark-dead" } } } } },
  };
  assert.deepEqual(
    findLeftovers([set, listed("ConfigMap", "spark-drv-0a1d-conf-map")], living, undefined).map(
      ({ name }) => name,
    ),
    ["spark-s-dead-0"],
  );
});
