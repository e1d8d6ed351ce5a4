import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  decodeObjectEvent,
  isAboutApplication,
  isAboutPod,
} from "../../../src/spark/diagnosis/objectEvents.ts";
import {
  buildApplications,
  emptyModel,
  updateResources,
} from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { decodeOperatorResource } from "../../../src/spark/pods/operatorResource.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture, endedFixture, executorFixture } from "../pods/podFixture.ts";

const event = (fields: Readonly<Record<string, unknown>>): unknown => ({
  involvedObject: { kind: "Pod", name: "pi-exec-1", uid: "u1" },
  type: "Warning",
  reason: "FailedScheduling",
  message: "0/3 nodes are available:\n3 Insufficient cpu.",
  lastTimestamp: "2026-01-02T03:04:05Z",
  count: 4,
  ...fields,
});

test("reads an event with any of its timestamps and counts", () => {
  const events = [
    event({}),
    event({ lastTimestamp: null, eventTime: "2026-01-02T03:04:04.5Z", count: undefined }),
    event({ series: { count: 7, lastObservedTime: "2026-01-02T03:04:06Z" } }),
    event({ involvedObject: { kind: "Node" } }),
    event({ lastTimestamp: null, metadata: { creationTimestamp: "2026-01-02T03:04:03Z" } }),
    "no event",
  ].flatMap((json) => decodeObjectEvent(json) ?? []);
  assert.deepEqual(
    events.map(({ event: { lastAt, count } }) => [lastAt, count]),
    [
      ["2026-01-02T03:04:05Z", 4],
      ["2026-01-02T03:04:04.5Z", 1],
      ["2026-01-02T03:04:06Z", 7],
      ["2026-01-02T03:04:03Z", 4],
    ],
  );
  assert.deepEqual(events[0], {
    event: events[0]?.event,
    kind: "Pod",
    name: "pi-exec-1",
    uid: "u1",
  });
});

const about = (kind: string, name: string, uid = "", lastTimestamp = "2026-01-02T04:00:00Z") => {
  const decoded = decodeObjectEvent(event({ involvedObject: { kind, name, uid }, lastTimestamp }));
  assert.ok(decoded);
  return decoded;
};

test("an application includes events of deleted executors, PVCs and executor sets, and no others", () => {
  const driver = driverFixture({ name: "pi-1a-driver", uid: "u-driver" });
  const { snapshot } = replacePods(emptySnapshot, [driver]);
  const application = firstOf(buildApplications(snapshot).applications);
  assert.ok(application);
  const isMeant = isAboutApplication(application);
  const mine = [
    about("Pod", "pi-1a-driver", "u-driver"),
    about("Pod", "pi-1a-exec-3", "gone"),
    about("PersistentVolumeClaim", "pi-1a-exec-3-pvc-0"),
    about("PersistentVolumeClaim", "pi-1a-driver-pvc-0"),
    about("StatefulSet", `spark-s-${application.id}-0`),
    about("Pod", `spark-s-${application.id}-0-2`),
  ];
  assert.deepEqual(mine.filter(isMeant), mine);
  const others = [
    about("Pod", "pi-1a-driver", "of another of that name"),
    about("Pod", "pi-1b-exec-3"),
    about("Pod", "pi-1a-exec-3", "of an earlier run", "2026-01-01T00:00:00Z"),
    about("ConfigMap", "pi-1a-exec-3"),
    about("PersistentVolumeClaim", "pi-1b-exec-3-pvc-0"),
  ];
  assert.deepEqual(others.filter(isMeant), []);
});

describe("deleted executors with a prefix that the driver has generated", () => {
  const submitted = "etl-8670dfa20d36a525";
  const isMeantOf = (fields: Parameters<typeof driverFixture>[0]) => {
    const driver = driverFixture({
      name: `${submitted}-driver`,
      creationTimestamp: "2026-11-24T11:00:00Z",
      labels: { "spark-app-selector": "a", "spark-role": "driver", "spark-app-name": "etl" },
      ...fields,
    });
    const { snapshot } = replacePods(emptySnapshot, [driver]);
    const application = firstOf(buildApplications(snapshot).applications);
    assert.ok(application);
    return isAboutApplication(application);
  };
  const later = "2026-11-24T12:00:00Z";
  const now = Date.parse("2026-11-24T11:00:21Z");
  const stemAt = (at: number, name = "etl"): string =>
    `${name}-8328a4${(at % 2 ** 40).toString(16)}`;

  test("belong to the application whose driver ran at that time", () => {
    const isMeant = isMeantOf({});
    assert.ok(isMeant(about("Pod", `${stemAt(now)}-exec-1`, "", later)));
    assert.ok(isMeant(about("PersistentVolumeClaim", `${stemAt(now)}-exec-1-pvc-0`, "", later)));
    assert.ok(isMeant(about("Pod", `${submitted}-exec-1`, "", later)), "before Spark 3.2");
  });

  test("do not belong to it if they were generated before it started, or have another name", () => {
    const isMeant = isMeantOf({});
    for (const stem of [stemAt(now - 3_600_000), stemAt(now, "orders"), "etl", "etl-8328a4"]) {
      assert.ok(!isMeant(about("Pod", `${stem}-exec-1`, "", later)), stem);
    }
  });

  test("do not belong to it if they were generated after its end", () => {
    const container = endedFixture(0, { name: "spark-kubernetes-driver", firstArgument: "driver" });
    assert.ok(container.state?.kind === "terminated");
    const state = { ...container.state, finishedAt: "2026-11-24T11:10:00Z" };
    const isMeant = isMeantOf({ phase: "Succeeded", containers: [{ ...container, state }] });
    assert.ok(isMeant(about("Pod", `${stemAt(now)}-exec-1`, "", later)));
    assert.ok(!isMeant(about("Pod", `${stemAt(now + 3_600_000)}-exec-1`, "", later)));
  });

  test("do not belong to it while another prefix is known from an executor", () => {
    const driver = driverFixture({ name: `${submitted}-driver`, uid: "uid-driver" });
    const executor = executorFixture(1, { name: `${stemAt(now)}-exec-1` });
    const { snapshot } = replacePods(emptySnapshot, [driver, executor]);
    const application = firstOf(buildApplications(snapshot).applications);
    assert.ok(application);
    const isMeant = isAboutApplication(application);
    assert.ok(isMeant(about("Pod", `${stemAt(now)}-exec-2`, "", later)));
    assert.ok(!isMeant(about("Pod", `${stemAt(now + 1)}-exec-2`, "", later)));
    assert.ok(isMeant(about("PersistentVolumeClaim", `${submitted}-driver-pvc-0`, "", later)));
  });
});

test("an application includes the events of its custom resource, even without a pod", () => {
  const metadata = { name: "etl", namespace: "jobs", uid: "u-resource" };
  const status = { applicationState: { state: "SUBMISSION_FAILED" } };
  const resource = decodeOperatorResource("sparkoperator.k8s.io/v1beta2", "SparkApplication", {
    metadata: { ...metadata, creationTimestamp: "2026-01-02T03:00:00Z" },
    status,
  });
  assert.ok(resource);
  const application = firstOf(updateResources(emptyModel, [resource], []).model.applications);
  assert.ok(application);
  const isMeant = isAboutApplication(application);
  assert.ok(isMeant(about("SparkApplication", "etl", "u-resource")));
  assert.ok(!isMeant(about("SparkApplication", "etl", "of an earlier one of that name")));
});

test("a pod includes its own events and those of its PVCs", () => {
  const isMeant = isAboutPod(driverFixture({ name: "pi-1a-driver", uid: "u-driver" }));
  assert.ok(isMeant(about("Pod", "pi-1a-driver", "u-driver")));
  assert.ok(isMeant(about("PersistentVolumeClaim", "pi-1a-driver-pvc-0")));
  assert.ok(!isMeant(about("Pod", "pi-1a-driver", "another")));
  assert.ok(!isMeant(about("PersistentVolumeClaim", "pi-1a-exec-1-pvc-0")));
});
