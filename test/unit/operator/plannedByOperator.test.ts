import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import type { OperatorManifest } from "../../../src/spark/operator/operatorManifest.ts";
import {
  operatorRights,
  plannedByOperator,
} from "../../../src/spark/operator/plannedByOperator.ts";
import type { SubmissionPlan } from "../../../src/spark/submit/plan/submissionPlan.ts";
import { driverAccount } from "../../../src/spark/submit/preflight/driverAccount.ts";
import { planPods } from "../../../src/spark/submit/preflight/planPods.ts";
import { references } from "../../../src/spark/submit/preflight/references.ts";

const kubeflow = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: orders }
spec:
  type: Python
  sparkVersion: 3.5.9
  mainApplicationFile: local:///jobs/orders.py
  image: registry/spark:3.5.9
  imagePullSecrets: [pull]
  driver:
    cores: 1
    memory: 1g
    serviceAccount: etl
    envFrom: [{ secretRef: { name: orders-db } }]
  executor: { instances: 4, cores: 2, memory: 2g }
`;

const apache = `apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: totals, namespace: own }
spec:
  mainClass: org.example.Totals
  jars: local:///jobs/totals.jar
  runtimeVersions: { sparkVersion: 4.3.0 }
  sparkConf:
    spark.kubernetes.container.image: registry/spark:4.3.0
    spark.kubernetes.authenticate.driver.serviceAccountName: etl
  driverSpec:
    podTemplateSpec:
      spec: { priorityClassName: nightly }
`;

const manifestOf = (text: string): OperatorManifest => {
  const [first] = decodeManifests(text).manifests;
  assert.ok(first);
  return first.manifest;
};

const planOfText = (text: string): SubmissionPlan => {
  const plan = plannedByOperator(manifestOf(text), {
    server: "https://h:6443",
    namespace: "dev",
    now: Date.UTC(2026, 0, 1),
    randomBytes: (count) => new Uint8Array(count).fill(1),
  });
  assert.ok(plan.ok, JSON.stringify(plan));
  return plan.value;
};

const referenceNames = (plan: SubmissionPlan): readonly string[] =>
  references(plan).map(({ kind, name, user }) => `${user}: ${kind} ${name}`);

describe("the plan of an operator's submission", () => {
  test("has the account, the references and the executors of a kubeflow application", () => {
    const plan = planOfText(kubeflow);
    assert.equal(plan.identity.namespace, "dev");
    assert.equal(plan.sparkVersion, "3.5.9");
    assert.equal(driverAccount(plan), "etl");
    assert.deepEqual(referenceNames(plan), [
      "driver: ServiceAccount etl",
      "driver: Secret pull",
      "driver: Secret orders-db",
    ]);
    assert.deepEqual(
      planPods(plan).map(({ user, count }) => `${count} ${user}`),
      ["1 driver", "4 executor"],
    );
  });

  test("has the namespace and the pod templates of an Apache application", () => {
    const plan = planOfText(apache);
    assert.equal(plan.identity.namespace, "own");
    assert.equal(driverAccount(plan), "etl");
    assert.deepEqual(referenceNames(plan), [
      "driver: ServiceAccount etl",
      "driver: PriorityClass nightly",
    ]);
  });

  test("is that of the application that a schedule starts", () => {
    const template = kubeflow.slice(kubeflow.indexOf("spec:\n") + 6).replace(/^ {2}/gm, "    ");
    const scheduled = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
metadata: { name: nightly }
spec:
  schedule: "@daily"
  template:
${template}`;
    assert.equal(driverAccount(planOfText(scheduled)), "etl");
    assert.deepEqual(
      operatorRights(manifestOf(scheduled)).map(({ verb, resource }) => `${verb} ${resource}`),
      ["create scheduledsparkapplications", "get scheduledsparkapplications"],
    );
  });

  test("needs permissions in the API group of its operator", () => {
    const groups = [kubeflow, apache].map((text) => operatorRights(manifestOf(text))[0]?.group);
    assert.deepEqual(groups, ["sparkoperator.k8s.io", "spark.apache.org"]);
  });
});
