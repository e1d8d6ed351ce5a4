import assert from "node:assert/strict";
import { test } from "node:test";
import { findLeftovers, type ListedObject } from "../../../src/spark/pods/leftovers.ts";

interface Facts {
  readonly id?: string;
  /** `Kind uid`. */
  readonly owner?: string;
  readonly role?: string;
  readonly phase?: string;
  /** Of the pods that it makes. */
  readonly makes?: string;
  /** The config map that it mounts. */
  readonly mounts?: string;
  /** The properties that it holds. */
  readonly holds?: string;
}

const selector = (id: string | undefined): object =>
  id === undefined ? {} : { "spark-app-selector": id };

function listed(kind: string, name: string, facts: Facts = {}): ListedObject {
  const { id, owner, role, phase = "Running", makes, mounts, holds } = facts;
  const [ownerKind, uid] = owner?.split(" ") ?? [];
  const labels = { ...selector(id), ...(role !== undefined && { "spark-role": role }) };
  const metadata = {
    labels,
    ...(uid !== undefined && { ownerReferences: [{ kind: ownerKind, uid }] }),
  };
  const body = {
    metadata,
    spec: {
      template: { metadata: { labels: selector(makes) } },
      ...(mounts !== undefined && { volumes: [{ name: "conf", configMap: { name: mounts } }] }),
    },
    ...(holds !== undefined && { data: { "spark.properties": holds } }),
    ...(kind === "Pod" && { status: { phase } }),
  };
  return { apiVersion: "v1", kind, namespace: "jobs", name, uid: `uid-${name}`, body };
}

const none: ReadonlySet<string> = new Set();
const noDrivers: ReadonlyMap<string, string> = new Map();
const [driver, executor] = [{ role: "driver" }, { role: "executor" }];
const ended = { phase: "Succeeded" };

const namesOf = (
  objects: readonly ListedObject[],
  needed = none,
  ids?: ReadonlySet<string>,
  lostDrivers = noDrivers,
): readonly string[] =>
  findLeftovers(objects, { needed, lostDrivers }, ids).map(({ name, doubt }) =>
    doubt === undefined ? name : `${name}?`,
  );

const all: readonly ListedObject[] = [
  listed("ConfigMap", "spark-exec-0a1b-conf-map", {
    id: "spark-dead",
    owner: "Pod uid-dead-driver",
  }),
  listed("ConfigMap", "spark-drv-0a1b-conf-map", { owner: "Pod uid-gone" }),
  listed("ConfigMap", "spark-drv-0a1c-conf-map", { owner: "Pod uid-alive-driver" }),
  listed("ConfigMap", "spark-drv-0a1d-conf-map"),
  listed("ConfigMap", "spark-drv-0a1e-conf-map", { owner: "Pod uid-dead-driver" }),
  listed("ConfigMap", "somebodys-own"),
  listed("Service", "dead-driver-svc", { id: "spark-dead", owner: "Pod uid-dead-driver" }),
  listed("Service", "alive-driver-svc", { id: "spark-alive", owner: "Pod uid-alive-driver" }),
  listed("PersistentVolumeClaim", "dead-pvc-0", { id: "spark-dead" }),
  listed("Pod", "dead-exec-1", { id: "spark-dead", ...executor, owner: "Pod uid-dead-driver" }),
  listed("Pod", "dead-driver", { id: "spark-dead", ...driver, ...ended }),
  listed("Pod", "alive-driver", { id: "spark-alive", ...driver, phase: "Pending" }),
  listed("Pod", "other-dead-exec-1", { id: "spark-other", ...executor, owner: "Pod uid-gone" }),
];

test("what nobody needs is found, in the order in which it goes", () => {
  assert.deepEqual(namesOf(all), [
    "dead-exec-1",
    "other-dead-exec-1",
    "dead-pvc-0",
    "dead-driver-svc",
    "spark-exec-0a1b-conf-map",
    "spark-drv-0a1b-conf-map",
    "spark-drv-0a1d-conf-map?",
  ]);
});

test("one application's are never another's, and what is known to be needed stays", () => {
  assert.deepEqual(namesOf(all, none, new Set(["spark-dead"])), [
    "dead-exec-1",
    "dead-pvc-0",
    "dead-driver-svc",
    "spark-exec-0a1b-conf-map",
  ]);
  assert.deepEqual(namesOf(all, none, new Set(["spark-alive"])), []);
  assert.deepEqual(namesOf(all, new Set(["spark-dead"]), new Set(["spark-dead"])), []);
});

test("an executor whose driver's pod is gone is left behind, though another run has its application's id", () => {
  const owned = (name: string, owner: string): ListedObject =>
    listed("Pod", name, { id: "spark-again", ...executor, owner: `Pod ${owner}` });
  const objects = [
    owned("before-exec-1", "uid-gone"),
    owned("again-exec-1", "uid-again-driver"),
    listed("Pod", "again-driver", { id: "spark-again", ...driver }),
  ];
  assert.deepEqual(namesOf(objects), ["before-exec-1"]);
});

test("a driver's map that nobody owns goes when asked for: it may be on its way to a driver", () => {
  const map = listed("ConfigMap", "spark-drv-0a1d-conf-map");
  assert.deepEqual(namesOf([map]), ["spark-drv-0a1d-conf-map?"]);
  const [only] = findLeftovers([map], { needed: none, lostDrivers: noDrivers }, undefined);
  assert.equal(only?.doubt, "unowned");
  // Whoever mounts it, Spark's or not.
  assert.deepEqual(namesOf([map, listed("Pod", "any", { mounts: map.name })]), []);
  assert.deepEqual(namesOf([listed("ConfigMap", "spark-drv-mine-conf-map")]), []);
  assert.deepEqual(namesOf([listed("ConfigMap", "spark-exec-0a1d-conf-map")]), []);
});

test("a driver's map is known by the conf in it, and stays while its application has a driver", () => {
  const holds = "spark.app.name=pi\nspark.app.id=spark-pi\n";
  const map = listed("ConfigMap", "spark-drv-0b-conf-map", { holds });
  const ofRow = new Set(["spark-pi"]);
  assert.deepEqual(namesOf([map], none, ofRow), [`${map.name}?`]);
  assert.deepEqual(namesOf([map], none, new Set(["spark-other"])), []);
  assert.deepEqual(namesOf([map], ofRow, ofRow), []);
  assert.deepEqual(namesOf([map, listed("Pod", "pi-driver", { id: "spark-pi", ...driver })]), []);
});

const loose = (name: string, phase = "Running"): ListedObject =>
  listed("Pod", name, { id: "spark-out", ...executor, phase });
const out = new Set(["spark-out"]);

test("executors that nobody owns are shown for their own application alone, and never ticked unasked", () => {
  const claim = listed("PersistentVolumeClaim", "out-pvc-0", { id: "spark-out" });
  const objects = [claim, loose("out-exec-1"), loose("out-exec-2", "Failed")];
  assert.deepEqual(namesOf(objects), []);
  assert.deepEqual(namesOf(objects, none, new Set(["spark-other"])), []);
  assert.deepEqual(namesOf(objects, none, out), ["out-exec-1?", "out-exec-2?"]);
  assert.deepEqual(namesOf(objects, out, out), []);
});

test("executors that nobody owns are not shown while a driver of their application is there", () => {
  const server = listed("Pod", "server", { role: "connect-server" });
  const held = listed("Pod", "out-exec-2", {
    ...executor,
    id: "spark-out",
    owner: "Pod uid-server",
  });
  assert.deepEqual(namesOf([server, held, loose("out-exec-1")], none, out), []);
  const own = listed("Pod", "out-driver", { id: "spark-out", ...driver });
  assert.deepEqual(namesOf([own, loose("out-exec-1")], none, out), []);
  const notebook = listed("Pod", "notebook", { id: "spark-out" });
  assert.deepEqual(namesOf([notebook, loose("out-exec-1")], none, out), []);
});

test("executors whose driver was seen to go from them are left behind, with all that is theirs", () => {
  const map = listed("ConfigMap", "spark-exec-0f-conf-map", { id: "spark-out" });
  const service = listed("Service", "out-driver-svc", { id: "spark-out" });
  const objects = [map, service, loose("out-exec-1")];
  const lost = new Map([["spark-out", "uid-out-driver"]]);
  const all = ["out-exec-1", "out-driver-svc", map.name];
  assert.deepEqual(namesOf(objects, none, out, lost), all);
  assert.deepEqual(namesOf(objects, none, undefined, lost), all);
  // What was seen to go may only have lost its labels, and another driver may have come.
  const bare = listed("Pod", "out-driver");
  assert.deepEqual(namesOf([...objects, bare], none, undefined, lost), []);
  const other = listed("Pod", "other-driver", { id: "spark-out", ...driver });
  assert.deepEqual(namesOf([...objects, other], none, out, lost), []);
  const over = listed("Pod", "other-driver", { id: "spark-out", ...driver, ...ended });
  assert.deepEqual(namesOf([...objects, over], none, undefined, lost), []);
});

test("a set is known by its pods", () => {
  const set = listed("StatefulSet", "spark-s-dead-0", { makes: "spark-dead" });
  const over = listed("Pod", "dead-driver", { id: "spark-dead", ...driver, ...ended });
  assert.deepEqual(namesOf([set, over]), ["spark-s-dead-0"]);
});

test("a Connect server keeps what is its own, also where only its executors bear the id", () => {
  const server = listed("Pod", "notebooks-server", { role: "connect-server" });
  const owner = "Pod uid-notebooks-server";
  const own = [
    listed("Pod", "exec-1", { id: "spark-c", ...executor, owner }),
    listed("ConfigMap", "spark-exec-0c-conf-map", { id: "spark-c" }),
  ];
  assert.deepEqual(namesOf([server, ...own]), []);
  const gone = listed("Pod", "notebooks-server", { role: "connect-server", ...ended });
  assert.deepEqual(namesOf([gone, ...own]), ["exec-1", "spark-exec-0c-conf-map?"]);
});

test("what a running pod owns is needed, whatever that pod is", () => {
  const notebook = (phase: string): ListedObject => listed("Pod", "notebook", { phase });
  const map = listed("ConfigMap", "spark-exec-0e-conf-map", {
    ...{ id: "spark-n", owner: "Pod uid-notebook" },
  });
  assert.deepEqual(namesOf([notebook("Running"), map]), []);
  assert.deepEqual(namesOf([notebook("Failed"), map]), [map.name]);
});

test("of a driver outside of the cluster nothing goes while it has executors, and nothing unasked after", () => {
  const map = listed("ConfigMap", "spark-exec-0f-conf-map", { id: "spark-out", ...executor });
  const pod = (phase: string): ListedObject =>
    listed("Pod", "out-exec-1", { id: "spark-out", ...executor, phase });
  assert.deepEqual(namesOf([map, pod("Running")]), []);
  assert.deepEqual(namesOf([map, pod("Failed")]), ["out-exec-1", `${map.name}?`]);
});

test("executors of a set are needed as long as who owns the set runs", () => {
  const owner = "Pod uid-pi-driver";
  const makes = "spark-pi";
  const pi = (phase: string): readonly ListedObject[] => [
    listed("Pod", "pi-driver", { ...driver, phase }),
    listed("StatefulSet", "spark-s-pi-0", { owner, makes }),
    listed("Pod", "spark-s-pi-0-0", {
      ...{ id: makes, ...executor, owner: "StatefulSet uid-spark-s-pi-0" },
    }),
    listed("Deployment", "spark-d-pi-0", { owner, makes }),
    listed("Pod", "spark-d-pi-0-x", { id: makes, ...executor, owner: "ReplicaSet uid-unlisted" }),
  ];
  assert.deepEqual(namesOf(pi("Running")), []);
  assert.deepEqual(namesOf(pi("Succeeded")), [
    "spark-s-pi-0",
    "spark-d-pi-0",
    "spark-s-pi-0-0",
    "spark-d-pi-0-x",
  ]);
  assert.deepEqual(
    namesOf(pi("Succeeded").filter(({ kind }) => kind !== "Deployment" && kind !== "StatefulSet")),
    [],
  );
});
