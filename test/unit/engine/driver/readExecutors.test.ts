import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { readExecutors } from "../../../../src/engine/driver/readExecutors.ts";
import { buildApplications } from "../../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../../src/spark/pods/podSnapshot.ts";
import type { PodRecord } from "../../../../src/spark/pods/podRecord.ts";
import { driverFixture, endedFixture, executorFixture } from "../../pods/podFixture.ts";
import { fakeCluster } from "../fakeCluster.ts";

type Given = Parameters<typeof readExecutors>[0];

const never = new AbortController().signal;
const forbidden: ClusterError = {
  kind: "forbidden",
  verb: "get",
  resource: "pods/proxy",
  namespace: "jobs",
  detail: "",
};
const broken: ClusterError = { kind: "badResponse", status: 500, detail: "Server Error" };

const applicationOf = (driver: PodRecord) => {
  const { snapshot } = replacePods(emptySnapshot, [driver, executorFixture(1)]);
  const only = firstOf(buildApplications(snapshot).applications);
  assert.ok(only);
  return only;
};

const clusterWith = (
  executors: Given["drivers"]["executors"],
  list: Given["objects"]["list"],
): Given => ({
  objects: { ...fakeCluster().objects, list },
  drivers: {
    executors,
    allocation: () => {
      throw new Error("not asked");
    },
    rows: () => {
      throw new Error("not asked");
    },
  },
});

const noMetrics = (): ReturnType<Given["objects"]["list"]> =>
  Promise.resolve(err({ kind: "notFound", resource: "pods", name: "", detail: "not served" }));

describe("reading the usage of executors", () => {
  for (const error of [forbidden, broken]) {
    test(`returns the error of a driver that answers ${error.kind}`, async () => {
      const cluster = clusterWith(() => Promise.resolve(err(error)), noMetrics);
      const { executors, metrics } = await readExecutors(
        cluster,
        applicationOf(driverFixture()),
        never,
      );
      assert.deepEqual(executors, err(error));
      assert.equal(metrics.ok, false);
    });
  }

  test("does not ask a driver that has ended", async () => {
    const ended = driverFixture({ phase: "Succeeded", containers: [endedFixture(0)] });
    const cluster = clusterWith(() => {
      throw new Error("asked");
    }, noMetrics);
    const { executors } = await readExecutors(cluster, applicationOf(ended), never);
    assert.deepEqual(executors, err("notRunning"));
  });

  test("reads the metrics of all pods with one request", async () => {
    const asked: string[] = [];
    const cluster = clusterWith(
      () => Promise.resolve(err(broken)),
      (kind, namespace, selector) => {
        asked.push(
          `${kind.apiVersion} ${namespace} ${typeof selector === "string" ? selector : "whole"}`,
        );
        const usage = { cpu: "250m", memory: "3Mi" };
        const body = { containers: [{ name: "a", usage }] };
        const object = {
          apiVersion: "",
          kind: "",
          namespace: "jobs",
          uid: "",
          resourceVersion: "",
        };
        return Promise.resolve(ok([{ ...object, name: "pi-exec-1", body }]));
      },
    );
    const { metrics } = await readExecutors(cluster, applicationOf(driverFixture()), never);
    assert.deepEqual(asked, ["metrics.k8s.io/v1beta1 jobs spark-app-selector=spark-1"]);
    assert.ok(metrics.ok);
    assert.deepEqual(
      [...metrics.value],
      [["pi-exec-1", { cores: 0.25, memoryBytes: 3 * 2 ** 20 }]],
    );
  });
});
