import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Application } from "../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import {
  finishedAmong,
  finishedGroups,
  finishedOf,
} from "../../../src/spark/pods/finishedApplications.ts";
import {
  applicationOfResource,
  joinResource,
} from "../../../src/spark/pods/operatedApplication.ts";
import {
  decodeOperatorResource,
  type OperatorResource,
} from "../../../src/spark/pods/operatorResource.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { containerFixture, driverFixture, endedFixture, executorFixture } from "./podFixture.ts";

const applicationsOf = (...pods: readonly PodRecord[]): readonly Application[] => [
  ...itemsIn(buildApplications(replacePods(emptySnapshot, pods).snapshot).applications),
];

function only(...pods: readonly PodRecord[]): Application {
  const [application] = applicationsOf(...pods);
  return application ?? assert.fail("no application");
}

/** Returns a driver that ended at this time. */
function ended(id: string, finishedAt: string | undefined, exitCode = 0): PodRecord {
  const container = endedFixture(exitCode, {
    name: "spark-kubernetes-driver",
    firstArgument: "driver",
  });
  const { state } = container;
  return driverFixture({
    uid: `uid-${id}`,
    labels: { "spark-app-selector": id, "spark-role": "driver", "spark-app-name": id },
    phase: exitCode === 0 ? "Succeeded" : "Failed",
    containers: [
      state?.kind === "terminated" ? { ...container, state: { ...state, finishedAt } } : container,
    ],
  });
}

const early = "2026-01-01T00:00:00Z";
const late = "2026-01-09T12:00:00Z";
const now = Date.parse("2026-01-10T12:30:00Z");

function resourceIn(state: string): OperatorResource {
  return (
    decodeOperatorResource("sparkoperator.k8s.io/v1beta2", "SparkApplication", {
      metadata: { name: "pi", namespace: "jobs", uid: "uid-resource" },
      status: { applicationState: { state } },
    }) ?? assert.fail("no resource")
  );
}

describe("finished applications", () => {
  test("are those whose driver pod has ended", () => {
    assert.equal(finishedOf(only(driverFixture())), undefined);
    const application = only(ended("a", early));
    assert.deepEqual(finishedOf(application), {
      application,
      hasSucceeded: true,
      endedAt: Date.parse(early),
    });
    assert.equal(finishedOf(only(ended("a", early, 1)))?.hasSucceeded, false);
  });

  test("exclude an application with a live executor", () => {
    const executor = executorFixture(1, {
      labels: { "spark-app-selector": "a", "spark-role": "executor", "spark-exec-id": "1" },
    });
    assert.equal(finishedOf(only(ended("a", early), executor)), undefined);
  });

  test("exclude a driver pod that a sidecar container keeps running", () => {
    const driver = ended("a", early);
    const sidecar = containerFixture({ name: "sidecar", firstArgument: undefined });
    const containers = [...driver.containers, sidecar];
    assert.equal(finishedOf(only({ ...driver, phase: "Running", containers })), undefined);
  });

  test("include one whose containers have ended before its phase shows it", () => {
    const driver: PodRecord = { ...ended("a", early), phase: "Running" };
    assert.notEqual(finishedOf(only(driver)), undefined);
    assert.equal(finishedOf(only({ ...driver, restartPolicy: "Always" })), undefined);
  });

  test("include one whose pod has ended, with any restart policy", () => {
    for (const exitCode of [0, 1]) {
      const driver: PodRecord = { ...ended("a", early, exitCode), restartPolicy: "OnFailure" };
      assert.notEqual(finishedOf(only(driver)), undefined, driver.phase);
    }
  });

  test("exclude a driver pod that is being deleted", () => {
    const deleting = { ...ended("a", early), deletionTimestamp: late };
    assert.equal(finishedOf(only(deleting)), undefined);
  });

  test("exclude executors without a driver, which are leftovers", () => {
    const executor = executorFixture(1, { phase: "Succeeded", containers: [endedFixture(0)] });
    assert.equal(finishedOf(only(executor)), undefined);
  });

  test("exclude an application that its operator will start again", () => {
    const application = only(ended("a", early, 1));
    assert.equal(finishedOf(joinResource(application, resourceIn("PENDING_RERUN"))), undefined);
    assert.notEqual(finishedOf(joinResource(application, resourceIn("FAILED"))), undefined);
  });

  test("include an ended custom resource without pods", () => {
    const row = (state: string) => finishedOf(applicationOfResource("k", resourceIn(state)));
    assert.equal(row("COMPLETED")?.hasSucceeded, true);
    assert.equal(row("FAILED")?.hasSucceeded, false);
    assert.equal(row("RUNNING"), undefined);
  });

  test("are sorted by their end, unknown ends last", () => {
    const found = finishedAmong(
      applicationsOf(ended("c", undefined), ended("b", late), ended("a", early), driverFixture()),
    );
    assert.deepEqual(
      found.map(({ application: { id } }) => id),
      ["a", "b", "c"],
    );
  });
});

describe("groups of finished applications", () => {
  const groupsOf = (...pods: readonly PodRecord[]) =>
    finishedGroups(finishedAmong(applicationsOf(...pods)), now).map(({ by, finished }) => [
      by,
      finished.map(({ application: { id } }) => id),
    ]);

  test("are by state and by age", () => {
    assert.deepEqual(groupsOf(ended("a", early), ended("b", late, 1), ended("c", undefined)), [
      [{ kind: "all" }, ["a", "b", "c"]],
      [{ kind: "state", hasSucceeded: true }, ["a", "c"]],
      [{ kind: "state", hasSucceeded: false }, ["b"]],
      [{ kind: "age", hours: 1 }, ["a", "b"]],
      [{ kind: "age", hours: 168 }, ["a"]],
    ]);
  });

  test("leave out running applications, also of an unknown age", () => {
    assert.deepEqual(groupsOf(driverFixture()), []);
    assert.deepEqual(groupsOf(driverFixture(), ended("c", undefined)), [[{ kind: "all" }, ["c"]]]);
  });
});
