// Tests the objects that the node writes: its Node, events, volumes of claims, and conditions of pods.
import assert from "node:assert/strict";
import { mkdtemp, mkdir, rm, stat } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fieldAt, itemsOf, textAt } from "../../../../src/base/json.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { expireEvents } from "../../../../src/sandbox/controllers/events.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";
import { Addresses } from "../../../../src/sandbox/node/addresses.ts";
import { bindClaim, dropClaims } from "../../../../src/sandbox/node/claims.ts";
import { statusOf, withConditions } from "../../../../src/sandbox/node/conditions.ts";
import { holdingsOf } from "../../../../src/sandbox/node/configSources.ts";
import { PodEvents, recordScheduling } from "../../../../src/sandbox/node/events.ts";
import { machineAmounts, nodeLabels, writeNode } from "../../../../src/sandbox/node/nodeObject.ts";
import {
  durationText,
  pullDelay,
  RestartBackoff,
} from "../../../../src/sandbox/node/pod/backoff.ts";
import { asSent, startApi } from "../api/apiRig.ts";

const objectsAt = (now: () => number = () => 0): Objects =>
  new Objects(now, (error) => {
    throw error;
  });
const podOf = (more: JsonMembers = {}, metadata: JsonMembers = {}): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "jobs", ...metadata } },
  ...more,
});

describe("the addresses of pods", () => {
  test("are different on Linux, in a network of the sandbox", () => {
    const addresses = new Addresses("linux", 251);
    const taken = Array.from({ length: 257 }, () => addresses.take());
    assert.deepEqual(
      [taken[0], taken[1], taken[254], taken[255], taken[256]],
      ["127.2.0.1", "127.2.0.2", "127.2.0.255", "127.2.1.0", "127.2.1.1"],
    );
    assert.equal(new Addresses("linux", 250).take(), "127.1.0.1");
    assert.equal(new Addresses("linux", 249).take(), "127.250.0.1");
  });

  test("are used again after all others", () => {
    const addresses = new Addresses("linux", 0);
    const taken = Array.from({ length: 65_534 }, () => addresses.take());
    assert.equal(new Set(taken).size, 65_534);
    assert.equal(taken.at(-1), "127.1.255.254");
    assert.throws(() => addresses.take(), /all addresses of the node are taken/);
    addresses.free("127.1.3.4");
    assert.equal(addresses.take(), "127.1.3.4");
    assert.throws(() => addresses.take(), /all addresses of the node are taken/);
  });

  test("are not used again at once", () => {
    const addresses = new Addresses("linux", 0);
    addresses.free(addresses.take());
    assert.equal(addresses.take(), "127.1.0.2");
  });

  test("are the same on other platforms", () => {
    const addresses = new Addresses("darwin", 7);
    assert.deepEqual([addresses.take(), addresses.take()], ["127.0.0.1", "127.0.0.1"]);
  });
});

describe("the Node object", () => {
  const nodeIn = (objects: Objects): KubeObject =>
    objects.get({ resource: "nodes", namespace: "", name: "sandbox" }) ?? assert.fail("no node");

  test("has the amounts, the address and the conditions of a ready node", () => {
    const objects = objectsAt();
    writeNode(objects, { cpu: 4, memory: 2 ** 30 + 5, pods: 110 }, "127.0.0.1", "linux", 1000);
    const node = nodeIn(objects);
    const status = statusOf(node);
    const amounts = { cpu: "4", memory: "1048576Ki", pods: "110" };
    assert.deepEqual([status["capacity"], status["allocatable"]], [amounts, amounts]);
    assert.deepEqual(status["addresses"], [
      { type: "InternalIP", address: "127.0.0.1" },
      { type: "Hostname", address: "sandbox" },
    ]);
    const conditions = itemsOf(status["conditions"]);
    assert.deepEqual(
      conditions.map((one) => `${textAt(one, "type") ?? ""} ${textAt(one, "status") ?? ""}`),
      ["MemoryPressure False", "DiskPressure False", "PIDPressure False", "Ready True"],
    );
    assert.ok(
      conditions.every((one) => textAt(one, "lastTransitionTime") === "1970-01-01T00:00:01Z"),
    );
    assert.equal(node.metadata.labels?.["kubernetes.io/os"], "linux");
    assert.equal(fieldAt(status["nodeInfo"], "operatingSystem"), "linux");
  });

  test("is written again over the one of an earlier start", () => {
    const objects = objectsAt();
    writeNode(objects, {}, "127.0.0.1", "linux", 0);
    const { uid } = nodeIn(objects).metadata;
    assert.deepEqual(statusOf(nodeIn(objects))["capacity"], {
      ...{ cpu: "0", memory: "0Ki", pods: "0" },
    });
    writeNode(objects, { cpu: 1 }, "127.0.0.1", "linux", 0);
    assert.equal(nodeIn(objects).metadata.uid, uid);
    assert.equal(fieldAt(statusOf(nodeIn(objects))["capacity"], "cpu"), "1");
  });

  test("has the amounts of the settings, or those of the machine", () => {
    assert.deepEqual(machineAmounts(3, 5), { cpu: 3, memory: 5, pods: 110 });
    const all = { cpu: cpus().length, memory: totalmem(), pods: 110 };
    assert.deepEqual(machineAmounts(undefined, undefined), all);
  });

  test("has labels for the platform", () => {
    assert.equal(nodeLabels("win32")["kubernetes.io/os"], "windows");
    assert.equal(nodeLabels("darwin")["beta.kubernetes.io/os"], "darwin");
    assert.equal(nodeLabels("linux")["kubernetes.io/hostname"], "sandbox");
  });
});

describe("the conditions of a pod", () => {
  const ready = { type: "Ready", isTrue: true };
  const old = {
    ...{ type: "Ready", status: "True", lastProbeTime: null },
    lastTransitionTime: "2020-01-01T00:00:00Z",
  };

  test("keep their time while the status is the same, and get a new one when it changes", () => {
    const pod = podOf({ status: { conditions: [old] } });
    assert.deepEqual(withConditions(pod, [ready], 0), [old]);
    assert.deepEqual(withConditions(pod, [{ ...ready, isTrue: false }], 0), [
      { ...old, status: "False", lastTransitionTime: "1970-01-01T00:00:00Z" },
    ]);
    const timeless = podOf({ status: { conditions: [{ type: "Ready", status: "True" }] } });
    assert.equal(fieldAt(withConditions(timeless, [ready], 0)[0], "lastTransitionTime"), null);
  });

  test("have a reason, a message and a generation if there are some", () => {
    const pod = podOf({}, { generation: 3 });
    assert.deepEqual(withConditions(pod, [{ ...ready, reason: "R", message: "m" }], 0), [
      {
        ...{ type: "Ready", observedGeneration: 3, status: "True", lastProbeTime: null },
        ...{ lastTransitionTime: "1970-01-01T00:00:00Z", reason: "R", message: "m" },
      },
    ]);
  });

  test("of other types are kept", () => {
    const pod = podOf({ status: { conditions: [{ type: "Other" }, old] } });
    assert.deepEqual(withConditions(pod, [ready], 0), [old, { type: "Other" }]);
  });

  test("are empty without a status", () => {
    assert.deepEqual(statusOf(podOf()), {});
    assert.deepEqual(withConditions(podOf(), [], 0), []);
  });
});

describe("the volume of a claim", () => {
  const claimOf = (status: JsonMembers, spec: JsonMembers = {}): KubeObject => ({
    ...{ apiVersion: "v1", kind: "PersistentVolumeClaim" },
    metadata: { name: "data", namespace: "jobs", uid: "u-1" },
    spec,
    status,
  });
  const claims = "persistentvolumeclaims";
  const key = { resource: claims, namespace: "jobs", name: "data" };

  test("is created and bound with the claim's modes, class and requests", () => {
    const objects = objectsAt();
    const requests = { storage: "1Gi" };
    const spec = {
      ...{ accessModes: ["ReadWriteOnce"], resources: { requests }, storageClassName: "fast" },
    };
    const claim = objects.create(claims, claimOf({ phase: "Pending", other: 1 }, spec));
    assert.ok(claim);
    bindClaim(objects, claim);
    const [volume] = objects.list("persistentvolumes");
    assert.ok(volume);
    assert.equal(volume.metadata.name, "pvc-u-1");
    assert.deepEqual(asSent({ spec: volume["spec"], status: volume["status"] }), {
      spec: {
        capacity: requests,
        accessModes: ["ReadWriteOnce"],
        claimRef: {
          ...{ apiVersion: "v1", kind: "PersistentVolumeClaim" },
          ...{ name: "data", namespace: "jobs", uid: "u-1" },
        },
        persistentVolumeReclaimPolicy: "Delete",
        storageClassName: "fast",
        volumeMode: "Filesystem",
      },
      status: { phase: "Bound" },
    });
    const bound = objects.get(key);
    assert.deepEqual(bound?.["spec"], { ...spec, volumeName: "pvc-u-1" });
    assert.deepEqual(bound["status"], {
      ...{ phase: "Bound", other: 1, accessModes: ["ReadWriteOnce"], capacity: requests },
    });
  });

  test("is empty for a claim without a spec, and created only once", () => {
    const objects = objectsAt();
    const claim = objects.create(claims, claimOf({ phase: "Pending" }));
    assert.ok(claim);
    bindClaim(objects, claim);
    const spec = objects.list("persistentvolumes")[0]?.["spec"];
    assert.deepEqual(
      ["capacity", "accessModes", "storageClassName"].map((name) => fieldAt(spec, name)),
      [{}, [], ""],
    );
    const version = objects.resourceVersion;
    bindClaim(objects, objects.get(key) ?? claim);
    assert.equal(objects.resourceVersion, version);
  });

  test("is deleted with the claim, and so is its folder", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "spark-k8s-claims-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const inside = join(folder, "claims", "u-1");
    await mkdir(inside, { recursive: true });
    const objects = objectsAt();
    const subscription = dropClaims(objects, folder);
    t.after(() => {
      subscription.dispose();
    });
    const claim = objects.create(claims, claimOf({}));
    assert.ok(claim);
    bindClaim(objects, claim);
    objects.create("configmaps", { ...claim, kind: "ConfigMap" });
    objects.drop({ ...key, resource: "configmaps" });
    assert.equal(objects.list("persistentvolumes").length, 1);
    objects.drop(key);
    assert.equal(objects.list("persistentvolumes").length, 0);
    const isThere = (): Promise<boolean> =>
      stat(inside).then(
        () => true,
        () => false,
      );
    const end = Date.now() + 10_000;
    while (await isThere()) {
      assert.ok(Date.now() < end, "the folder still exists after 10 s");
      await wait(10);
    }
  });
});

test("the content of config maps and secrets is the current one of the namespace", () => {
  const objects = objectsAt();
  const hold = (resource: string, namespace: string, more: JsonMembers): void => {
    objects.create(resource, {
      ...{ apiVersion: "v1", kind: "X", metadata: { name: "one", namespace } },
      ...more,
    });
  };
  hold("configmaps", "jobs", { data: { a: "ä", n: 1 }, binaryData: { b: "AQI=" } });
  hold("configmaps", "other", { data: { a: "x" } });
  const held = holdingsOf(objects, "jobs");
  const plain = (content: ReadonlyMap<string, Uint8Array> | undefined): unknown =>
    content && Object.fromEntries([...content].map(([name, bytes]) => [name, [...bytes]]));
  assert.deepEqual(plain(held.configMap("one")), { a: [0xc3, 0xa4], b: [1, 2] });
  assert.equal(held.configMap("none"), undefined);
  assert.equal(held.secret("one"), undefined);
  hold("secrets", "jobs", { data: { c: "Aw==" }, binaryData: { d: "AA==" } });
  assert.deepEqual(plain(held.secret("one")), { c: [3] });
});

describe("the events of a pod", () => {
  const notice = { type: "Normal", reason: "Pulled", message: "image is there" } as const;
  const pod = podOf({}, { uid: "u", resourceVersion: "7" });

  test("of the kubelet are counted when they repeat", () => {
    const time = { now: 0 };
    const objects = objectsAt();
    const clock = { now: () => time.now, sleep: () => Promise.reject(new Error("no sleep")) };
    const events = new PodEvents(objects, clock, "sandbox", pod);
    events.record(notice, "spec.containers{main}");
    time.now = 60_000;
    events.record(notice, "spec.containers{main}");
    events.record(notice);
    events.record({ ...notice, message: "another" });
    const [first, second, third] = objects.list("events");
    assert.match(first?.metadata.name ?? "", /^p\.[0-9a-f]{16}$/);
    const { apiVersion, kind, metadata, ...rest } = first ?? assert.fail("no event");
    assert.deepEqual([apiVersion, kind, metadata.namespace], ["v1", "Event", "jobs"]);
    const involvedObject = {
      ...{ kind: "Pod", namespace: "jobs", name: "p", uid: "u", apiVersion: "v1" },
      resourceVersion: "7",
    };
    assert.deepEqual(rest, {
      ...notice,
      involvedObject: { ...involvedObject, fieldPath: "spec.containers{main}" },
      source: { component: "kubelet", host: "sandbox" },
      firstTimestamp: "1970-01-01T00:00:00Z",
      lastTimestamp: "1970-01-01T00:01:00Z",
      count: 2,
      eventTime: null,
      reportingComponent: "kubelet",
      reportingInstance: "sandbox",
    });
    assert.deepEqual(second?.["involvedObject"], involvedObject);
    assert.deepEqual([second["count"], third?.["message"]], [1, "another"]);
  });

  test("of the scheduler have a time in microseconds and an action", () => {
    const objects = objectsAt();
    const clock = { now: () => 1234, sleep: () => Promise.reject(new Error("no sleep")) };
    recordScheduling(objects, clock, pod, notice, "Binding");
    const [event] = objects.list("events");
    assert.deepEqual(
      [event?.["eventTime"], event?.["action"], event?.["firstTimestamp"], event?.["source"]],
      ["1970-01-01T00:00:01.234000Z", "Binding", null, {}],
    );
    assert.equal(event?.["reportingComponent"], "default-scheduler");
  });

  test("expire after an hour, checked every minute", (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { context, objects, setTime } = startApi();
    const subscription = expireEvents(context);
    const add = (name: string): void => {
      objects.create("events", {
        ...{ apiVersion: "v1", kind: "Event", metadata: { name, namespace: "jobs" } },
      });
    };
    const names = (): string =>
      objects
        .list("events")
        .map(({ metadata }) => metadata.name)
        .join(" ");
    setTime(0);
    ["a", "b"].forEach(add);
    setTime(1000);
    add("c");
    setTime(3_599_000);
    t.mock.timers.tick(60_000);
    assert.equal(names(), "a b c");
    setTime(3_600_000);
    t.mock.timers.tick(59_999);
    assert.equal(names(), "a b c");
    t.mock.timers.tick(1);
    assert.equal(names(), "c");
    subscription.dispose();
    setTime(9_000_000);
    t.mock.timers.tick(60_000);
    assert.equal(names(), "c");
  });
});

describe("the back-off", () => {
  test("of restarts doubles up to 5 minutes, and starts again after a run of 10 minutes", () => {
    const backoff = new RestartBackoff();
    const waits = Array.from({ length: 8 }, () => backoff.next(599_999));
    assert.deepEqual(waits, [0, 10, 20, 40, 80, 160, 300, 300]);
    assert.deepEqual([backoff.next(600_000), backoff.next(0), backoff.next(0)], [0, 10, 20]);
  });

  test("of image pulls begins with the first failure", () => {
    assert.deepEqual([1, 2, 5, 6, 9].map(pullDelay), [10, 20, 160, 300, 300]);
  });

  test("is printed like Kubernetes prints durations", () => {
    const texts = [0, 59, 60, 80, 300].map(durationText);
    assert.deepEqual(texts, ["0s", "59s", "1m0s", "1m20s", "5m0s"]);
  });
});
