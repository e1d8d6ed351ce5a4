import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import type { OperatorManifest } from "../../../src/spark/operator/operatorManifest.ts";
import {
  planOperatorAction,
  type OperatorAction,
} from "../../../src/spark/operator/operatorPlan.ts";

function manifestOf(text: string): OperatorManifest {
  const [decoded] = decodeManifests(text).manifests;
  assert.ok(decoded);
  return decoded.manifest;
}

const kubeflow = manifestOf(`apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: pi
  namespace: etl
  uid: "1"
  resourceVersion: "2"
  annotations: { kubectl.kubernetes.io/last-applied-configuration: "{}", a: b }
spec: { type: Scala, sparkVersion: 4.3.0, mainApplicationFile: local:///a.jar, driver: {}, executor: {} }
status: { driverInfo: {} }
`);

const scheduled = manifestOf(`apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
metadata: { name: nightly }
spec: { schedule: "@daily", template: { type: Scala, sparkVersion: 4.3.0, mainApplicationFile: local:///a.jar, driver: {}, executor: {} } }
`);

const apache = manifestOf(`apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: pi }
spec: { mainClass: A, runtimeVersions: { sparkVersion: 4.2.0 } }
`);

const requestsOf = (manifest: OperatorManifest, action: OperatorAction): unknown => {
  const planned = planOperatorAction(manifest, action);
  return planned.ok ? planned.value : planned.error;
};

const pi = {
  apiVersion: "sparkoperator.k8s.io/v1beta2",
  kind: "SparkApplication",
  name: "pi",
  namespace: "etl",
};

const created = {
  verb: "create",
  manifest: {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    metadata: { name: "pi", namespace: "etl", annotations: { a: "b" } },
    spec: kubeflow.spec,
  },
};

test("an object is created without what the API server has written into it", () => {
  assert.deepEqual(requestsOf(kubeflow, { kind: "submit" }), [created]);
});

test("an application runs again as a new object, once the old one and its pods are gone", () => {
  assert.deepEqual(requestsOf(kubeflow, { kind: "resubmit", suffix: "1" }), [
    { verb: "delete", object: pi, propagationPolicy: "Foreground" },
    created,
  ]);
});

test("a schedule out of its turn is an application of its template", () => {
  assert.deepEqual(requestsOf(scheduled, { kind: "resubmit", suffix: "x1" }), [
    {
      verb: "create",
      manifest: {
        apiVersion: "sparkoperator.k8s.io/v1beta2",
        kind: "SparkApplication",
        metadata: { name: "nightly-x1" },
        spec: scheduled.kind === "ScheduledSparkApplication" ? scheduled.spec.template : undefined,
      },
    },
  ]);
});

test("suspending and resuming are one field", () => {
  assert.deepEqual(requestsOf(kubeflow, { kind: "suspend" }), [
    { verb: "patch", object: pi, patch: { spec: { suspend: true } } },
  ]);
  assert.deepEqual(requestsOf(scheduled, { kind: "resume" }), [
    {
      verb: "patch",
      object: {
        apiVersion: "sparkoperator.k8s.io/v1beta2",
        kind: "ScheduledSparkApplication",
        name: "nightly",
        namespace: undefined,
      },
      patch: { spec: { suspend: false } },
    },
  ]);
});

test("an API that cannot suspend says so, and an object needs a name", () => {
  assert.deepEqual(requestsOf(apache, { kind: "suspend" }), {
    kind: "notInApi",
    action: "suspend",
    apiVersion: "spark.apache.org/v1",
  });
  assert.deepEqual(requestsOf({ ...apache, metadata: {} }, { kind: "submit" }), {
    kind: "unnamed",
  });
});
