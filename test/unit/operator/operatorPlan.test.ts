import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodeManifests,
  type DecodedManifest,
} from "../../../src/spark/operator/decodeManifests.ts";
import {
  planOperatorAction,
  type OperatorAction,
  type OperatorRequest,
} from "../../../src/spark/operator/operatorPlan.ts";
import type { JsonObject } from "../../../src/base/json.ts";

function manifestOf(text: string): DecodedManifest {
  const [decoded] = decodeManifests(text).manifests;
  assert.ok(decoded);
  return decoded;
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

const requestsOf = (manifest: DecodedManifest, action: OperatorAction): unknown => {
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
    spec: kubeflow.source["spec"],
  },
};

test("creates an object without the API server's fields", () => {
  assert.deepEqual(requestsOf(kubeflow, { kind: "submit" }), [created]);
});

test("recreates an application after its object and pods are deleted", () => {
  assert.deepEqual(requestsOf(kubeflow, { kind: "resubmit", suffix: "1" }), [
    { verb: "delete", object: pi, propagationPolicy: "Foreground" },
    created,
  ]);
});

test("starts a schedule's template as an application", () => {
  assert.deepEqual(requestsOf(scheduled, { kind: "resubmit", suffix: "x1" }), [
    {
      verb: "create",
      manifest: {
        apiVersion: "sparkoperator.k8s.io/v1beta2",
        kind: "SparkApplication",
        metadata: { name: "nightly-x1" },
        spec: (scheduled.source["spec"] as JsonObject)["template"],
      },
    },
  ]);
});

test("sends unknown fields, so that the API server can reject them", () => {
  const misspelled = manifestOf(`apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: pi }
spec: { mainclass: A, runtimeVersions: { sparkVersion: 4.2.0 } }
`);
  const [request] = requestsOf(misspelled, { kind: "submit" }) as readonly OperatorRequest[];
  assert.ok(request?.verb === "create");
  assert.deepEqual(request.manifest["spec"], misspelled.source["spec"]);
});

test("suspends and resumes by one field", () => {
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

test("reports an unsupported suspend and a missing name", () => {
  assert.deepEqual(requestsOf(apache, { kind: "suspend" }), {
    kind: "notInApi",
    action: "suspend",
    apiVersion: "spark.apache.org/v1",
  });
  const unnamed = manifestOf("apiVersion: spark.apache.org/v1\nkind: SparkApplication\nspec: {}\n");
  assert.deepEqual(requestsOf(unnamed, { kind: "submit" }), {
    kind: "unnamed",
  });
});
