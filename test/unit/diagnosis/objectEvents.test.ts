import assert from "node:assert/strict";
import { test } from "node:test";
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
import { driverFixture } from "../pods/podFixture.ts";

const event = (fields: Readonly<Record<string, unknown>>): unknown => ({
  involvedObject: { kind: "Pod", name: "pi-exec-1", uid: "u1" },
  type: "Warning",
  reason: "FailedScheduling",
  message: "0/3 nodes are available:\n3 Insufficient cpu.",
  lastTimestamp: "2026-01-02T03:04:05Z",
  count: 4,
  ...fields,
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
