import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildApplications,
  findApplication,
  updateApplications,
  updateResources,
  type ApplicationModel,
} from "../../../src/spark/pods/applications.ts";
import type { Application } from "../../../src/spark/pods/application.ts";
import { describeApplication } from "../../../src/spark/pods/describeApplication.ts";
import {
  decodeOperatorResource,
  type OperatorResource,
} from "../../../src/spark/pods/operatorResource.ts";
import { itemsIn } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import type { PodRecord } from "../../../src/spark/pods/podRecord.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { driverFixture } from "./podFixture.ts";
import { inEnglish } from "../../../src/base/message.ts";

const kubeflow = "sparkoperator.k8s.io/v1beta2";
const apache = "spark.apache.org/v1";

function decode(apiVersion: string, status: unknown, kind = "SparkApplication"): OperatorResource {
  const metadata = {
    name: "orders",
    namespace: "jobs",
    uid: "u-1",
    creationTimestamp: "2026-01-02T03:00:00Z",
  };
  const resource = decodeOperatorResource(apiVersion, kind, { metadata, status });
  assert.ok(resource);
  return resource;
}

const running = (state: string, more: object = {}): OperatorResource =>
  decode(kubeflow, { applicationState: { state, ...more }, sparkApplicationId: "spark-1" });

const withState = (summary: string, history: object = {}): OperatorResource =>
  decode(apache, {
    currentState: { currentStateSummary: summary, message: "as it says" },
    stateTransitionHistory: history,
    currentAttemptSummary: { attemptInfo: { id: 1 } },
  });

test("maps the operator's state to an outlook, and detects final states", () => {
  const cases: readonly (readonly [OperatorResource, string, boolean])[] = [
    [running(""), "waiting", false],
    [running("PENDING_RERUN"), "waiting", false],
    [running("RUNNING"), "running", false],
    [running("FAILED", { errorMessage: "no" }), "failed", true],
    [running("SUBMISSION_FAILED"), "failed", false],
    [running("COMPLETED"), "succeeded", true],
    [running("SUSPENDED"), "suspended", false],
    [withState("Submitted"), "waiting", false],
    [withState("RunningHealthy"), "running", false],
    [withState("DriverStartTimedOut"), "failed", false],
    [
      withState("ResourceReleased", {
        0: { currentStateSummary: "Submitted" },
        2: { currentStateSummary: "Succeeded" },
        10: { currentStateSummary: "ResourceReleased" },
      }),
      "succeeded",
      true,
    ],
    [decode("sparkoperator.k8s.io/v1alpha1", { state: "Ready" }, "SparkConnect"), "running", false],
  ];
  for (const [resource, outlook, hasEnded] of cases) {
    assert.deepEqual([resource.outlook, resource.hasEnded], [outlook, hasEnded], resource.word);
  }
  assert.equal(withState("Failed").attempts, 2);
  assert.equal(running("FAILED", { errorMessage: "no" }).message, "no");
});

test("maps each word of an operator", () => {
  const kubeflowWords = {
    ...{ NEW: "waiting", SUBMITTED: "waiting", RUNNING: "running", SUCCEEDING: "running" },
    ...{ COMPLETED: "succeeded ended", FAILED: "failed ended", FAILING: "failed" },
    ...{ SUSPENDING: "suspended", SUSPENDED: "suspended", RESUMING: "waiting" },
  };
  const connectWords = {
    ...{ Ready: "running", NotReady: "waiting", Provisioning: "waiting" },
    ...{ Failed: "failed ended", Completed: "succeeded ended" },
  };
  const apacheWords = {
    ...{ Submitted: "waiting", DriverRequested: "waiting", DriverStarted: "waiting" },
    ...{ DriverReady: "running", InitializedBelowThresholdExecutors: "running" },
    ...{ RunningWithBelowThresholdExecutors: "running", Succeeded: "succeeded" },
    ...{ DriverReadyTimedOut: "failed", DriverEvicted: "failed", SchedulingFailure: "failed" },
    ...{ Suspended: "suspended", ResourceReleased: "waiting ended" },
    ...{ TerminatedWithoutReleaseResources: "waiting ended", NotRunning: "waiting" },
  };
  const shown = ({ outlook, hasEnded }: OperatorResource): string =>
    hasEnded ? `${outlook} ended` : outlook;
  for (const [word, expected] of Object.entries(kubeflowWords))
    assert.equal(shown(running(word)), expected, word);
  for (const [word, expected] of Object.entries(connectWords))
    assert.equal(shown(decode(kubeflow, { state: word }, "SparkConnect")), expected, word);
  for (const [word, expected] of Object.entries(apacheWords))
    assert.equal(shown(withState(word)), expected, word);
});

test("returns all fields that an operator reports", () => {
  const names = {
    ...{ name: "orders", namespace: "jobs", uid: "u-1", resourceVersion: "" },
    ...{ creationTimestamp: "2026-01-02T03:00:00Z" },
  };
  assert.deepEqual(
    decode(kubeflow, {
      applicationState: { state: "RUNNING", errorMessage: "" },
      sparkApplicationId: "spark-1",
      driverInfo: { podName: "orders-driver" },
      executionAttempts: 3,
    }),
    {
      ...{ ...names, operator: "kubeflow", kind: "SparkApplication", word: "RUNNING" },
      ...{ message: undefined, outlook: "running", hasEnded: false, applicationId: "spark-1" },
      ...{ driverPod: "orders-driver", attempts: 3 },
    },
  );
  const conditions = [{ message: "first" }, { message: "last" }];
  const server = { state: "NotReady", conditions, server: { podName: "s" }, restartAttempts: 2 };
  const expected = {
    ...{ ...names, operator: "kubeflow", kind: "SparkConnect", word: "NotReady" },
    ...{ message: "last", outlook: "waiting", hasEnded: false, applicationId: undefined },
    ...{ driverPod: "s", attempts: 2 },
  };
  assert.deepEqual(decode(kubeflow, server, "SparkConnect"), expected);
  assert.deepEqual(decode(kubeflow, { ...server, state: "Ready" }, "SparkConnect"), {
    ...{ ...expected, word: "Ready", message: undefined, outlook: "running" },
  });
  assert.deepEqual(decode(apache, {}), {
    ...{ ...names, operator: "apache", kind: "SparkApplication", word: "", message: undefined },
    ...{ outlook: "waiting", hasEnded: false, applicationId: undefined, driverPod: undefined },
    attempts: 0,
  });
  const states = { 9: "Submitted", 10: "Failed", 11: "ResourceReleased" };
  const history = Object.fromEntries(
    Object.entries(states).map(([at, word]) => [at, { currentStateSummary: word }]),
  );
  assert.equal(withState("TerminatedWithoutReleaseResources", history).outlook, "failed");
});

test("decodes only resources of a known operator", () => {
  for (const json of [undefined, null, [], {}, { metadata: { name: "n" } }]) {
    assert.equal(decodeOperatorResource(kubeflow, "SparkApplication", json), undefined);
  }
  const json = { metadata: { name: "n", uid: "u" } };
  assert.equal(decodeOperatorResource("v1", "Pod", json), undefined);
  assert.ok(decodeOperatorResource(kubeflow, "SparkApplication", json));
});

const driver = (fields: Partial<PodRecord> = {}): PodRecord =>
  driverFixture({
    labels: {
      "spark-app-selector": "spark-1",
      "spark-role": "driver",
      "sparkoperator.k8s.io/app-name": "orders",
    },
    ...fields,
  });

const modelOf = (resources: readonly OperatorResource[], ...pods: readonly PodRecord[]) =>
  buildApplications(replacePods(emptySnapshot, pods).snapshot, resources);

const lines = ({ applications }: ApplicationModel): readonly string[] =>
  [...itemsIn(applications)].map(
    (one: Application) => `${one.name}: ${inEnglish(describeApplication(one))}`,
  );

test("joins a resource and its pods to one application, in any order", () => {
  const resource = running("RUNNING");
  const joined = findApplication(modelOf([resource], driver()), "jobs/spark-1");
  assert.equal(joined?.resource, resource);
  assert.deepEqual(lines(modelOf([resource], driver())), ["orders: running"]);
  const { model, changedKeys } = updateResources(modelOf([], driver()), [resource], []);
  assert.equal(findApplication(model, "jobs/spark-1")?.resource, resource);
  assert.deepEqual([...changedKeys], ["jobs/spark-1"]);
});

test("a resource without pods is its own application, before and after its pods exist", () => {
  const alone = modelOf([running("SUBMITTED")]);
  assert.deepEqual(lines(alone), ["orders: waiting: SUBMITTED"]);
  const added = updateApplications(alone, { added: [driver()], modified: [], removed: [] });
  assert.deepEqual(lines(added.model), ["orders: running"]);
  const removed = updateApplications(added.model, {
    added: [],
    modified: [],
    removed: [{ before: driver(), last: driver() }],
  });
  assert.deepEqual(lines(removed.model), ["orders: waiting: SUBMITTED"]);
  const { model } = updateResources(removed.model, [], [running("SUBMITTED")]);
  assert.deepEqual(lines(model), []);
});

test("a pending attempt is listed beside the pods of the last attempt", () => {
  const last = driver({ phase: "Failed" });
  const next = decode(kubeflow, {
    applicationState: { state: "PENDING_RERUN" },
    sparkApplicationId: "spark-2",
  });
  assert.deepEqual(lines(modelOf([next], last)).toSorted(), [
    "orders: failed",
    "orders: waiting: PENDING_RERUN",
  ]);
  assert.deepEqual(lines(modelOf([running("FAILED")], last)), ["orders: failed"]);
});
