import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { endMarkOf, requestedEndOf } from "../../../src/spark/pods/endMark.ts";
import {
  applicationIdOf,
  isSimulated,
  nameOf,
  originOf,
  sparkIdOf,
} from "../../../src/spark/pods/origin.ts";
import { podFixture } from "./podFixture.ts";

const pod = (labels: Readonly<Record<string, string>>, fields: object = {}) =>
  podFixture({ name: "etl-0123456789abcdef-driver", labels, ...fields });

const kubeflow = { "sparkoperator.k8s.io/app-name": "nightly" };
const connect = { "sparkoperator.k8s.io/connect-name": "server" };
const apache = { "spark.operator/spark-app-name": "daily" };
const id = { "spark-app-selector": "spark-1" };

describe("the origin of a pod", () => {
  test("is the operator whose label the pod has", () => {
    const rows = [
      [{}, undefined],
      [kubeflow, { operator: "kubeflow", kind: "SparkApplication", name: "nightly" }],
      [connect, { operator: "kubeflow", kind: "SparkConnect", name: "server" }],
      [apache, { operator: "apache", kind: "SparkApplication", name: "daily" }],
      [
        { ...apache, ...kubeflow, ...connect },
        { operator: "kubeflow", kind: "SparkConnect", name: "server" },
      ],
      [
        { ...apache, ...kubeflow },
        { operator: "kubeflow", kind: "SparkApplication", name: "nightly" },
      ],
    ] as const;
    for (const [labels, operator] of rows)
      assert.deepEqual(originOf(pod(labels)).operator, operator);
  });

  test("is a Connect server by its role, its operator, its name or its main class", () => {
    const mainClass = "org.apache.spark.sql.connect.service.SparkConnectServer";
    const driving = { mainClass, uiPort: 4040, exitException: undefined };
    const isConnect = (labels: Readonly<Record<string, string>>, fields: object = {}) =>
      originOf(pod(labels, fields)).isConnect;
    assert.equal(isConnect({ "spark-role": "connect-server" }), true);
    assert.equal(isConnect(connect), true);
    assert.equal(isConnect({ "spark-app-name": "spark-connect-server" }), true);
    assert.equal(isConnect({}, { driving }), true);
    assert.equal(isConnect({ "spark-role": "driver", "spark-app-name": "etl" }), false);
    assert.equal(
      isConnect(kubeflow, { driving: { ...driving, mainClass: "org.example.A" } }),
      false,
    );
  });

  test("has the user of the pod", () => {
    assert.equal(originOf(pod({}, { sparkUser: "ann" })).user, "ann");
  });
});

describe("the names of a pod's application", () => {
  test("are its id: of the Connect server, of Spark, or the name of the pod", () => {
    assert.equal(applicationIdOf(pod({ ...connect, ...id })), "server");
    assert.equal(applicationIdOf(pod(id)), "spark-1");
    assert.equal(applicationIdOf(pod({})), "etl-0123456789abcdef-driver");
    assert.deepEqual(
      [sparkIdOf(pod({ ...connect, ...id })), sparkIdOf(pod({}))],
      [...["spark-1", undefined]],
    );
  });

  test("are its name: of the operator, of the label, or a part of the pod's name", () => {
    const label = { "spark-app-name": "label" };
    assert.equal(nameOf(pod({ ...label, ...apache })), "daily");
    assert.equal(nameOf(pod(label)), "label");
    assert.equal(nameOf(pod({ "spark-app-name": "" })), "etl");
    const named = (name: string) => nameOf(pod({}, { name }));
    assert.deepEqual(
      [
        ...["etl-driver", "etl-exec-12", "etl-exec-x", "my-driver-app", "etl"],
        ...["etl-0123456789abcdef-exec-1", "etl-0123456789abcde-driver", "etl-0123456789abcdeg"],
      ].map(named),
      [
        ...["etl", "etl", "etl-exec-x", "my-driver-app", "etl"],
        ...["etl", "etl-0123456789abcde", "etl-0123456789abcdeg"],
      ],
    );
  });

  test("are simulated only with the sandbox's label", () => {
    const labels = (value: string) => ({ "spark-k8s.sandbox/simulation": value });
    assert.equal(isSimulated(pod({})), false);
    assert.equal(isSimulated(pod(labels("false"))), false);
    assert.equal(isSimulated(pod(labels("true"))), true);
  });
});

describe("the mark of a requested end", () => {
  const label = "spark.kubernetes.executor.decommissionLabel";
  const cost = "spark.kubernetes.executor.podDeletionCost";
  const allocator = "spark.kubernetes.allocation.pods.allocator";
  const markOf = (conf: Readonly<Record<string, string>>) => {
    const { labels, annotations } = endMarkOf("killed", new Map(Object.entries(conf)));
    const others = Object.entries(labels).filter(([, value]) => value !== "killed");
    return { labels: Object.fromEntries(others), annotations };
  };

  test("is read from the labels that it writes", () => {
    for (const end of ["killed", "decommissioned", "stopped"] as const) {
      const mark = endMarkOf(end, undefined);
      assert.equal(requestedEndOf(mark.labels), end);
      assert.equal(Object.keys(mark.labels).length, 1);
      assert.deepEqual(mark.annotations, {});
    }
    assert.equal(requestedEndOf({}), undefined);
    const [name = ""] = Object.keys(endMarkOf("killed", undefined).labels);
    assert.equal(requestedEndOf({ [name]: "other" }), undefined);
  });

  test("has the label of the driver's conf", () => {
    assert.deepEqual(markOf({ [label]: "gone" }).labels, { gone: "" });
    assert.deepEqual(markOf({ [label]: "gone", [`${label}Value`]: "yes" }).labels, { gone: "yes" });
    assert.deepEqual(markOf({ [label]: "", [`${label}Value`]: "yes" }).labels, {});
  });

  test("has the deletion cost only for executors of a Deployment", () => {
    const annotations = { "controller.kubernetes.io/pod-deletion-cost": "-5" };
    const costOf = (conf: Readonly<Record<string, string>>) => markOf(conf).annotations;
    assert.deepEqual(costOf({ [cost]: "-5", [allocator]: "deployment" }), annotations);
    assert.deepEqual(costOf({ [cost]: "-5", [allocator]: "statefulset" }), {});
    assert.deepEqual(costOf({ [cost]: "-5" }), {});
    assert.deepEqual(costOf({ [allocator]: "deployment" }), {});
    assert.deepEqual(costOf({ [cost]: "", [allocator]: "deployment" }), {});
  });
});
