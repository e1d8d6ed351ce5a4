import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { relatedObjects } from "../../../src/spark/diagnosis/relatedObjects.ts";
import type { AllocationConf } from "../../../src/spark/diagnosis/driverReport.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf, itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, executorFixture } from "../pods/podFixture.ts";

const startTime = "2026-01-02T03:04:00Z";
const claims = ["pi-data"];
const claim = { kind: "PersistentVolumeClaim", name: "pi-data", isPrefix: false };
const sets = [
  { kind: "StatefulSet", name: "spark-s-spark-1-0", isPrefix: false },
  { kind: "ReplicaSet", name: "spark-d-spark-1-0-", isPrefix: true },
];

interface Case {
  readonly driver?: Partial<PodRecord>;
  readonly executors?: readonly PodRecord[];
  readonly afterSeconds?: number;
  readonly allocation?: AllocationConf;
  /** The name of the pod whose objects are returned; the driver by default. */
  readonly of?: string;
}

function objectsOf({ driver = {}, executors = [], afterSeconds = 31, allocation, of }: Case) {
  const pods = [driverFixture({ startTime, claims, ...driver }), ...executors];
  const { snapshot } = replacePods(emptySnapshot, pods);
  const application = firstOf(buildApplications(snapshot).applications);
  assert.ok(application);
  const executor = [...itemsIn(application.live)].find(({ pod }) => pod.uid === of);
  const subject = of === undefined ? application.driver : executor;
  assert.ok(subject);
  const now = Date.parse(startTime) + afterSeconds * 1000;
  const report =
    allocation === undefined
      ? undefined
      : {
          readAt: now,
          registered: new Set<string>(),
          removed: new Map<string, string>(),
          allocation,
        };
  return relatedObjects(application, subject, { report, now });
}

describe("the objects whose events explain a pod", () => {
  test("are its claims and, for a driver without executors, their possible sets", () => {
    assert.deepEqual(objectsOf({}), [claim, ...sets]);
    assert.deepEqual(objectsOf({ driver: { claims: [] } }), sets);
  });

  test("are only the claims within the driver's first 30 s", () => {
    assert.deepEqual(objectsOf({ afterSeconds: 30 }), [claim]);
    const later = { startTime: undefined, creationTimestamp: "2026-01-02T03:04:00Z" };
    assert.deepEqual(objectsOf({ driver: later }), [claim, ...sets]);
  });

  test("are only the claims of a driver that does not run", () => {
    assert.deepEqual(objectsOf({ driver: { phase: "Failed" } }), [claim]);
  });

  test("are only the claims of an executor", () => {
    const executors = [executorFixture(1, { claims: ["pi-exec-1-data"] }), executorFixture(2)];
    const few = { executors, allocation: { kind: "fixed", instances: 3 } } as const;
    const own = { ...claim, name: "pi-exec-1-data" };
    assert.deepEqual(objectsOf({ ...few, of: "exec-1" }), [own]);
    assert.deepEqual(objectsOf({ ...few, of: "exec-2" }), []);
    assert.deepEqual(objectsOf(few), [claim, ...sets]);
  });

  test("depend on the number of executors that the driver wants", () => {
    const executors = [executorFixture(1), executorFixture(2)];
    const dynamic = { kind: "dynamic", max: Infinity } as const;
    const enough: readonly (AllocationConf | undefined)[] = [
      undefined,
      { kind: "fixed", instances: 2 },
      { ...dynamic, min: 2, target: undefined },
      { ...dynamic, min: 3, target: 2 },
    ];
    const more: readonly AllocationConf[] = [
      { kind: "fixed", instances: 3 },
      { ...dynamic, min: 3, target: undefined },
      { ...dynamic, min: 1, target: 3 },
    ];
    const ofDriver = (allocation: AllocationConf | undefined) =>
      objectsOf(allocation === undefined ? { executors } : { executors, allocation });
    for (const allocation of enough) assert.deepEqual(ofDriver(allocation), [claim]);
    for (const allocation of more) assert.deepEqual(ofDriver(allocation), [claim, ...sets]);
  });
});
