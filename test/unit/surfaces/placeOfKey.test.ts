import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { placeOfKey } from "../../../src/spark/surfaces/placeOfKey.ts";

const application = (name: string, spec: string): string =>
  `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: ${name} }
spec:
  sparkVersion: 4.3.0
${spec}`;

const text = `${application("one", "  driver: { serviceAccount: a }\n")}---
${application("two", "  image: spark:1\n  driver: { cores: 1 }\n  sparkConf:\n    spark.executor.cores: '2'\n")}`;

function lineOf(name: string, key: string | undefined): string {
  const decoded = decodeManifests(text).manifests.find(
    ({ manifest }) => manifest.metadata.name === name,
  );
  assert.ok(decoded);
  const { start, end } = placeOfKey(text, decoded, key);
  return `${text.slice(0, start).split("\n").length} ${text.slice(start, end)}`;
}

const account = "spark.kubernetes.authenticate.driver.serviceAccountName";

test("a key is at its entry or field in the application's own document", () => {
  assert.equal(lineOf("one", account), "6 serviceAccount");
  assert.equal(lineOf("two", "spark.executor.cores"), "16 spark.executor.cores");
  assert.equal(lineOf("two", "spark.kubernetes.container.image"), "13 image");
});

test("a key that the manifest does not set is at the nearest parent of its field", () => {
  assert.equal(lineOf("two", account), "14 driver");
  assert.equal(lineOf("two", "spark.kubernetes.namespace"), "10 metadata");
  assert.equal(lineOf("one", "spark.executor.memory"), "4 spec");
});

test("a finding without a key is at the first line of the application", () => {
  assert.equal(lineOf("two", undefined), "8 apiVersion: sparkoperator.k8s.io/v1beta2");
});
