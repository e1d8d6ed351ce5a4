import assert from "node:assert/strict";
import { test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import { askRunningDriver } from "../../../../src/engine/driver/askRunningDriver.ts";
import type { Connection } from "../../../../src/engine/ports/connection.ts";
import type { Application } from "../../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, podFixture } from "../../pods/podFixture.ts";
import { fakeCluster, forbidden } from "../fakeCluster.ts";

const never = new AbortController().signal;

function application(): Application {
  const { snapshot } = replacePods(emptySnapshot, [driverFixture(), podFixture()]);
  const only = firstOf(buildApplications(snapshot).applications);
  assert.ok(only);
  return only;
}

const driverName = driverFixture().name;
const submitted = fakeCluster({
  manifests: [
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: driverName },
      spec: { volumes: [{ name: "spark-conf-volume-driver", configMap: { name: "conf" } }] },
    },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "conf" },
      data: { "spark.properties": "spark.app.name=etl\n" },
    },
  ],
}).objects;

type Drivers = Connection["drivers"];
const refuse = (): Promise<never> => Promise.reject(new Error("nothing else is asked"));
const driversWith = (executors: Drivers["executors"]): Drivers => ({
  executors,
  allocation: refuse,
  rows: refuse,
});

const report = {
  registered: new Set(["1"]),
  removed: new Map<string, string>(),
  activeTasks: new Map([["1", 4]]),
};

test("returns the driver's own conf, with settings of the application, and its tasks", async () => {
  const pages: Connection["pages"] = {
    read: (_, path) =>
      Promise.resolve(
        ok(
          path.endsWith("/environment")
            ? { sparkProperties: [["spark.decommission.enabled", "true"]] }
            : [{ id: "spark-1" }],
        ),
      ),
  };
  const drivers = driversWith(() => Promise.resolve(ok(report)));
  const told = await askRunningDriver({ objects: submitted, pages, drivers }, application(), never);
  assert.equal(told.conf?.get("spark.decommission.enabled"), "true");
  assert.equal(told.executors?.activeTasks.get("1"), 4);
});

test("returns the submitted conf if the driver's pages are forbidden", async () => {
  const error = forbidden("get", "pods/proxy");
  const pages: Connection["pages"] = { read: () => Promise.resolve(err(error)) };
  const drivers = driversWith(() => Promise.resolve(err(error)));
  const told = await askRunningDriver({ objects: submitted, pages, drivers }, application(), never);
  assert.deepEqual([...(told.conf ?? [])], [["spark.app.name", "etl"]]);
  assert.equal(told.executors, undefined);
});

/** Never responds; rejects when the signal aborts. */
const silence = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => {
      reject(new DOMException("aborted", "AbortError"));
    });
  });

test("does not wait for a driver that does not answer", async (t) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  t.mock.method(AbortSignal, "timeout", (ms: number) => timeout(ms / 1000));
  // Keeps the process alive, as the open socket of a real request does.
  const awake = setInterval(() => undefined, 1000);
  t.after(() => {
    clearInterval(awake);
  });
  const pages: Connection["pages"] = { read: (_pod, _path, signal) => silence(signal) };
  const drivers = driversWith((_, signal) => silence(signal));
  const connection = { objects: submitted, pages, drivers };
  const told = await askRunningDriver(connection, application(), never);
  assert.deepEqual([...(told.conf ?? [])], [["spark.app.name", "etl"]]);
  assert.equal(told.executors, undefined);
  const givenUp = AbortSignal.abort();
  await assert.rejects(askRunningDriver(connection, application(), givenUp));
});
