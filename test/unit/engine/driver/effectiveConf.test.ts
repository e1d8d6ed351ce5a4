import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import { readEffectiveConf } from "../../../../src/engine/driver/effectiveConf.ts";
import type { PodPages } from "../../../../src/engine/ports/channels.ts";
import type { Manifest } from "../../../../src/spark/submit/plan/manifest.ts";
import { driverFixture } from "../../pods/podFixture.ts";
import { fakeCluster, forbidden } from "../fakeCluster.ts";

const never = new AbortController().signal;
const driver = driverFixture();
const { name, labels } = driver;

interface PodNow {
  readonly uid?: string;
  readonly phase?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const podNow = (now: PodNow): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, uid: now.uid ?? driver.uid, labels: now.labels ?? labels },
  spec: { volumes: [{ name: "spark-conf-volume-driver", configMap: { name: "conf" } }] },
  status: { phase: now.phase ?? "Running" },
});

const map: Manifest = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "conf" },
  data: { "spark.properties": "spark.app.name=submitted\n" },
};

/** Serves applications with these ids at the driver's address. */
function answering(...ids: readonly string[]) {
  const asked: string[] = [];
  const pages: PodPages = {
    read: (_, path) => {
      asked.push(path);
      const [, id] = /applications\/(.*)\/environment$/.exec(path) ?? [];
      return Promise.resolve(
        ok(
          id === undefined
            ? ids.map((one) => ({ id: one }))
            : { sparkProperties: [["spark.app.name", `of ${id}`]] },
        ),
      );
    },
  };
  return { pages, asked };
}

/** Returns the source of the conf and the value of spark.app.name, or the reason why the driver could not be read. */
async function readFrom(objects: ReturnType<typeof fakeCluster>["objects"], pages: PodPages) {
  const read = await readEffectiveConf({ objects, pages }, driver, never);
  const appName = read.kind === "failed" ? undefined : read.conf.get("spark.app.name");
  return [read.kind, appName, "error" in read ? read.error : undefined];
}

test("asks a running driver for its own application", async () => {
  const { objects } = fakeCluster({ manifests: [podNow({}), map] });
  const { pages } = answering("spark-0", "spark-1");
  assert.deepEqual(await readFrom(objects, pages), ["fromDriver", "of spark-1", undefined]);
});

test("does not ask a driver whose pod has ended since", async () => {
  for (const phase of ["Succeeded", "Failed", "Pending"]) {
    const { objects } = fakeCluster({ manifests: [podNow({ phase }), map] });
    const { pages, asked } = answering("spark-1");
    const read = await readFrom(objects, pages);
    assert.deepEqual(read, ["asSubmitted", "submitted", "notRunning"]);
    assert.deepEqual(asked, []);
  }
});

test("rejects the conf of another application at the driver's address", async () => {
  const { objects } = fakeCluster({ manifests: [podNow({}), map] });
  const { pages, asked } = answering("spark-2");
  assert.deepEqual(await readFrom(objects, pages), ["asSubmitted", "submitted", "anotherRun"]);
  assert.equal(asked.length, 1);
});

test("rejects the conf of another run's driver of the same name", async () => {
  const { objects } = fakeCluster({ manifests: [podNow({ uid: "uid-later" }), map] });
  const { pages, asked } = answering("spark-1");
  assert.deepEqual(await readFrom(objects, pages), ["failed", undefined, "notRunning"]);
  assert.deepEqual(asked, []);
});

test("asks a driver without an application id, as of a Connect server, for its only application", async () => {
  const { pages } = answering("app-7");
  const { objects } = fakeCluster({ manifests: [podNow({ labels: {} }), map] });
  assert.deepEqual(await readFrom(objects, pages), ["fromDriver", "of app-7", undefined]);
});

test("asks the driver that was last known as running if reading pods is forbidden", async () => {
  const error = forbidden("get", "pods");
  const { objects } = fakeCluster({ refused: { "read Pod": error } });
  const { pages } = answering("spark-1");
  assert.deepEqual(await readFrom(objects, pages), ["fromDriver", "of spark-1", undefined]);
  const silent: PodPages = { read: () => Promise.resolve(err(error)) };
  assert.deepEqual(await readFrom(objects, silent), ["failed", undefined, error]);
});
