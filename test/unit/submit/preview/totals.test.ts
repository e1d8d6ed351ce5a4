import assert from "node:assert/strict";
import { test } from "node:test";
import { previewExecutor } from "../../../../src/spark/submit/preview/previewExecutor.ts";
import { parseQuantity } from "../../../../src/spark/quantity.ts";
import { podAmounts, planTotals } from "../../../../src/spark/submit/preview/totals.ts";
import { conf, planOf, withOptions, type Place } from "../prepared.ts";

const totalsOf = (pairs: readonly string[], place: Place = {}) =>
  planTotals(planOf(withOptions(...conf(...pairs)), place));
const mebibytes = (count: number): number => count * 2 ** 20;

test("counts two executors by default", () => {
  const { driver, executor, executors, initial, maximum } = totalsOf([]);
  assert.deepEqual(driver, { cores: 1, memoryBytes: mebibytes(1408) });
  assert.deepEqual(executor, driver);
  assert.deepEqual(executors, { initial: 2, minimum: 2, maximum: 2 });
  assert.deepEqual(initial, { cores: 3, memoryBytes: mebibytes(3 * 1408) });
  assert.deepEqual(maximum, initial);
});

test("starts dynamic allocation with the largest number, possibly without a maximum", () => {
  const dynamic = "spark.dynamicAllocation.enabled=true";
  const count = (...pairs: readonly string[]) => totalsOf([dynamic, ...pairs]).executors;
  assert.deepEqual(count(), { initial: 0, minimum: 0, maximum: undefined });
  assert.deepEqual(
    count(
      "spark.dynamicAllocation.minExecutors=2",
      "spark.dynamicAllocation.maxExecutors=9",
      "spark.executor.instances=4",
    ),
    { initial: 4, minimum: 2, maximum: 9 },
  );
  assert.equal(totalsOf([dynamic]).maximum, undefined);
});

test("adds fractional cores and Python memory", () => {
  const plan = planOf([
    ...withOptions(
      ...conf("spark.kubernetes.executor.request.cores=250m", "spark.executor.pyspark.memory=1g"),
    ).slice(0, -2),
    "local:///a.py",
  ]);
  const { executor } = planTotals(plan);
  assert.deepEqual(executor, { cores: 0.25, memoryBytes: mebibytes(1433 + 1024) });
});

test("adds sidecars, or uses a larger init container", () => {
  const template = (memory: string): Place => ({
    files: {
      "/t.yaml": `spec:
  initContainers: [{name: i, resources: {requests: {memory: ${memory}}}}]
  containers: [{name: spark}, {name: side, resources: {limits: {memory: 100Mi, cpu: 1}}}]`,
    },
  });
  const pairs = ["spark.kubernetes.driver.podTemplateFile=/t.yaml"];
  assert.deepEqual(totalsOf(pairs, template("1Mi")).driver, {
    cores: 2,
    memoryBytes: mebibytes(1508),
  });
  assert.equal(totalsOf(pairs, template("4Gi")).driver.memoryBytes, mebibytes(4096));
});

test("gives an executor its owner, directories and template", () => {
  const plan = planOf(withOptions(...conf("spark.kubernetes.executor.podTemplateFile=/t.yaml")), {
    environment: { SPARK_LOCAL_DIRS: "/scratch", SPARK_CONF_DIR: "/conf" },
    files: {
      "/conf/log4j2.properties": "x",
      "/t.yaml": "spec:\n  priorityClassName: low\n  containers:\n  - name: mine\n",
    },
  });
  const { value: pod, findings } = previewExecutor(plan, "7");
  assert.deepEqual(findings, []);
  assert.equal(pod.metadata.name, "spark-pi-…-exec-7");
  assert.equal(pod.metadata.ownerReferences?.[0]?.name, plan.identity.driverPodName);
  const text = JSON.stringify(pod);
  for (const part of [
    '"name":"mine"',
    '"priorityClassName":"low"',
    '{"name":"SPARK_LOCAL_DIRS","value":"/scratch"}',
    '{"name":"SPARK_USER","value":"u"}',
    '{"key":"log4j2.properties","mode":420,"path":"log4j2.properties"}',
    '{"name":"SPARK_DRIVER_POD_IP","value":"<driver-pod-ip>"}',
  ]) {
    assert.ok(text.includes(part), part);
  }
  assert.deepEqual(podAmounts(pod, "limits"), { cores: 0, memoryBytes: mebibytes(1408) });
});

test("passes the driver's Service to executors, and its address from Spark 4.3 on", () => {
  const urlOf = (version: string): string | undefined =>
    /SPARK_DRIVER_URL","value":"([^"]*)"/.exec(
      JSON.stringify(previewExecutor(planOf(withOptions(), { version }), "1").value),
    )?.[1];
  assert.match(urlOf("4.2.1") ?? "", /@spark-pi-\w+-driver-svc\.default\.svc:7078$/);
  assert.equal(urlOf("4.3.0"), "spark://CoarseGrainedScheduler@<driver-pod-ip>:7078");
});

test("parses quantities like Kubernetes", () => {
  const rows: readonly (readonly [string, number | undefined])[] = [
    ["500m", 0.5],
    ["1.5", 1.5],
    [".5", 0.5],
    ["1408Mi", 1408 * 2 ** 20],
    ["1k", 1000],
    ["2e3", 2000],
    ["1E", 1e18],
    ["1Ei", 2 ** 60],
    ["1K", undefined],
    ["mi", undefined],
    ["1 ", undefined],
    ["", undefined],
  ];
  for (const [text, expected] of rows) assert.equal(parseQuantity(text), expected, text);
});
