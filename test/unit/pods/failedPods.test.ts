import assert from "node:assert/strict";
import { test } from "node:test";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { failedPodsOf, podEndedAt } from "../../../src/spark/pods/failedPods.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { containerFixture, podFixture } from "./podFixture.ts";

const failed = (id: number, exitCode = 1, finishedAt = "2026-01-02T03:05:00Z"): PodRecord => {
  const end = { exitCode, signal: undefined, reason: "Error", message: undefined };
  const state = { kind: "terminated", ...end, startedAt: undefined, finishedAt } as const;
  return podFixture({
    uid: `e${id}`,
    phase: exitCode === 0 ? "Succeeded" : "Failed",
    labels: { ...podFixture().labels, "spark-exec-id": String(id) },
    containers: [containerFixture({ state, ready: false })],
  });
};

const namesOf = (pods: readonly PodRecord[]): readonly string[] => {
  const { applications } = buildApplications(replacePods(emptySnapshot, pods).snapshot);
  const [application] = itemsIn(applications);
  assert.ok(application);
  return failedPodsOf(application).map(({ pod }) => pod.uid);
};

test("finds the failed driver and the failed ones of the eight newest ended executors", () => {
  const driver = {
    ...failed(0),
    uid: "driver",
    name: "pi-driver",
    labels: { "spark-app-selector": "spark-1", "spark-role": "driver" },
  };
  const executors = Array.from({ length: 12 }, (_, at) => failed(at + 1, at % 2));
  assert.deepEqual(namesOf([driver, ...executors]), ["driver", "e6", "e8", "e10", "e12"]);
});

test("finds nothing in an application without failures", () => {
  assert.deepEqual(namesOf([podFixture(), failed(2, 0)]), []);
});

test("reads the end of Spark's container", () => {
  const state = { kind: "failed", exit: undefined, isDeleting: false } as const;
  assert.equal(podEndedAt({ pod: failed(1), state }), Date.parse("2026-01-02T03:05:00Z"));
  assert.equal(podEndedAt({ pod: failed(1, 1, "soon"), state }), undefined);
  assert.equal(podEndedAt({ pod: podFixture(), state }), undefined);
});
