import assert from "node:assert/strict";
import { test } from "node:test";
import { findLeftovers, type ListedObject } from "../../../src/spark/pods/leftovers.ts";

interface Facts {
  readonly id?: string;
  /** The owner reference as `Kind uid`. */
  readonly owner?: string;
  readonly role?: string;
  readonly phase?: string;
  /** The `spark-app-selector` label in the object's pod template. */
  readonly makes?: string;
  /** The name of the ConfigMap that the pod mounts. */
  readonly mounts?: string;
  /** The content of `spark.properties` in the ConfigMap. */
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

test("finds all unneeded objects in deletion order", () => {
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

test("lists only the given application, and keeps objects known to be needed", () => {
  assert.deepEqual(namesOf(all, none, new Set(["spark-dead"])), [
    "dead-exec-1",
    "dead-pvc-0",
    "dead-driver-svc",
    "spark-exec-0a1b-conf-map",
  ]);
  assert.deepEqual(namesOf(all, none, new Set(["spark-alive"])), []);
  assert.deepEqual(namesOf(all, new Set(["spark-dead"]), new Set(["spark-dead"])), []);
});

test("an executor without its driver pod is left over, even if another run has the same application id", () => {
  const owned = (name: string, owner: string): ListedObject =>
    listed("Pod", name, { id: "spark-again", ...executor, owner: `Pod ${owner}` });
  const objects = [
    owned("before-exec-1", "uid-gone"),
    owned("again-exec-1", "uid-again-driver"),
    listed("Pod", "again-driver", { id: "spark-again", ...driver }),
  ];
  assert.deepEqual(namesOf(objects), ["before-exec-1"]);
});

test("a driver's ConfigMap without owner is doubtful: its driver may still be created", () => {
  const map = listed("ConfigMap", "spark-drv-0a1d-conf-map");
  assert.deepEqual(namesOf([map]), ["spark-drv-0a1d-conf-map?"]);
  const [only] = findLeftovers([map], { needed: none, lostDrivers: noDrivers }, undefined);
  assert.equal(only?.doubt, "unowned");
  // Any pod that mounts it counts, even if it is not a Spark pod.
  assert.deepEqual(namesOf([map, listed("Pod", "any", { mounts: map.name })]), []);
  assert.deepEqual(namesOf([listed("ConfigMap", "spark-drv-mine-conf-map")]), []);
  assert.deepEqual(namesOf([listed("ConfigMap", "spark-exec-0a1d-conf-map")]), []);
});

test("a driver's ConfigMap belongs to the application in its conf, and stays while a driver exists", () => {
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

test("lists executors without owner only for their own application, and never preselected", () => {
  const claim = listed("PersistentVolumeClaim", "out-pvc-0", { id: "spark-out" });
  const objects = [claim, loose("out-exec-1"), loose("out-exec-2", "Failed")];
  assert.deepEqual(namesOf(objects), []);
  assert.deepEqual(namesOf(objects, none, new Set(["spark-other"])), []);
  assert.deepEqual(namesOf(objects, none, out), ["out-exec-1?", "out-exec-2?"]);
  assert.deepEqual(namesOf(objects, out, out), []);
});

test("hides executors without owner while a driver of their application exists", () => {
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

test("executors of a lost driver are left over, with all their objects", () => {
  const map = listed("ConfigMap", "spark-exec-0f-conf-map", { id: "spark-out" });
  const service = listed("Service", "out-driver-svc", { id: "spark-out" });
  const objects = [map, service, loose("out-exec-1")];
  const lost = new Map([["spark-out", "uid-out-driver"]]);
  const all = ["out-exec-1", "out-driver-svc", map.name];
  assert.deepEqual(namesOf(objects, none, out, lost), all);
  assert.deepEqual(namesOf(objects, none, undefined, lost), all);
  // A driver without labels may be the missing driver, and another driver may use the same objects.
  const bare = listed("Pod", "out-driver");
  assert.deepEqual(namesOf([...objects, bare], none, undefined, lost), []);
  const other = listed("Pod", "other-driver", { id: "spark-out", ...driver });
  assert.deepEqual(namesOf([...objects, other], none, out, lost), []);
  const over = listed("Pod", "other-driver", { id: "spark-out", ...driver, ...ended });
  assert.deepEqual(namesOf([...objects, over], none, undefined, lost), []);
});

test("an executor set belongs to the application of its pods", () => {
  const set = listed("StatefulSet", "spark-s-dead-0", { makes: "spark-dead" });
  const over = listed("Pod", "dead-driver", { id: "spark-dead", ...driver, ...ended });
  assert.deepEqual(namesOf([set, over]), ["spark-s-dead-0"]);
});

test("a Connect server keeps its objects, even if only its executors have the id", () => {
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

test("a running pod of any kind needs the objects that it owns", () => {
  const notebook = (phase: string): ListedObject => listed("Pod", "notebook", { phase });
  const map = listed("ConfigMap", "spark-exec-0e-conf-map", {
    ...{ id: "spark-n", owner: "Pod uid-notebook" },
  });
  assert.deepEqual(namesOf([notebook("Running"), map]), []);
  assert.deepEqual(namesOf([notebook("Failed"), map]), [map.name]);
});

test("keeps objects of an external driver while executors run, and marks them doubtful later", () => {
  const map = listed("ConfigMap", "spark-exec-0f-conf-map", { id: "spark-out", ...executor });
  const pod = (phase: string): ListedObject =>
    listed("Pod", "out-exec-1", { id: "spark-out", ...executor, phase });
  assert.deepEqual(namesOf([map, pod("Running")]), []);
  assert.deepEqual(namesOf([map, pod("Failed")]), ["out-exec-1", `${map.name}?`]);
});

test("executors of a set are needed while the owner of the set runs", () => {
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
