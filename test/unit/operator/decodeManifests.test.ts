import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import type { OperatorManifest } from "../../../src/spark/operator/operatorManifest.ts";

const valid = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata:
  name: pi
spec:
  type: Scala
  sparkVersion: 4.3.0
  mainApplicationFile: local:///opt/spark/examples.jar
  driver: {}
  executor: {}
`;

/** Returns a valid manifest with additional lines in its spec. */
const withSpec = (...lines: readonly string[]): string =>
  valid + lines.map((line) => `  ${line}\n`).join("");

/** Returns `code path "text"` for each finding. */
function findingsIn(text: string): readonly string[] {
  return decodeManifests(text).findings.map(
    ({ code, path, span }) => `${code} ${path} ${JSON.stringify(text.slice(span.start, span.end))}`,
  );
}

const check = (text: string, ...expected: readonly string[]): void => {
  assert.deepEqual(findingsIn(text), expected);
};

const checkSpec = (line: string, ...expected: readonly string[]): void => {
  check(withSpec(line), ...expected);
};

function only(text: string): OperatorManifest {
  const [first, ...others] = decodeManifests(text).manifests;
  assert.ok(first);
  assert.equal(others.length, 0);
  return first.manifest;
}

test("decodes a complete manifest without findings", () => {
  check(valid);
  assert.deepEqual(only(valid), {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    metadata: { name: "pi" },
    spec: {
      type: "Scala",
      sparkVersion: "4.3.0",
      mainApplicationFile: "local:///opt/spark/examples.jar",
      driver: {},
      executor: {},
    },
  });
});

test("decodes several documents and skips other kinds", () => {
  const text = `apiVersion: v1
kind: ConfigMap
spec: nonsense
---
${valid}---
apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: other }
spec: { runtimeVersions: { sparkVersion: 4.2.0 } }
---
apiVersion: spark.apache.org/v1
kind: SparkCluster
---
# nothing
`;
  const { manifests, findings } = decodeManifests(text);
  assert.deepEqual(findings, []);
  assert.deepEqual(
    manifests.map(({ manifest }) => `${manifest.apiVersion} ${String(manifest.metadata.name)}`),
    ["sparkoperator.k8s.io/v1beta2 pi", "spark.apache.org/v1 other"],
  );
});

test("decodes a schedule with its template", () => {
  const text = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
metadata: { name: nightly }
spec:
  schedule: "0 3 * * *"
  concurrencyPolicy: Forbidd
  template:
    type: Python
    sparkVersion: 4.3.0
    mainApplicationFile: local:///a.py
    executor: { instances: 0 }
    sparkConf: { spark.master: x }
`;
  check(
    text,
    'bad-choice spec.concurrencyPolicy "Forbidd"',
    'missing-field spec.template.driver ""',
    'out-of-range spec.template.executor.instances "0"',
    'refused spec.template.sparkConf[spark.master] "spark.master"',
  );
  const manifest = only(text);
  assert.ok(manifest.kind === "ScheduledSparkApplication");
  assert.equal(manifest.spec.template?.mainApplicationFile, "local:///a.py");
});

test("reports an unknown field with a suggestion", () => {
  checkSpec("batchSchedule: volcano", 'unknown-field spec.batchSchedule "batchSchedule"');
  const [finding] = decodeManifests(withSpec("batchSchedule: volcano")).findings;
  assert.equal(finding?.fix, "batchScheduler");
  check(
    valid.replace("driver: {}", 'driver: { "coreRequests": 1 }'),
    'unknown-field spec.driver.coreRequests "\\"coreRequests\\""',
  );
  check(
    valid.replace("metadata:", "metadta:\n  x: 1\nmetadata:"),
    'unknown-field metadta "metadta"',
  );
});

test("reports and converts a value of another type", () => {
  const text = withSpec("sparkConf:", "  spark.executor.instances: 2", "retryInterval: '5'");
  check(
    text,
    'wrong-type spec.sparkConf[spark.executor.instances] "2"',
    "wrong-type spec.retryInterval \"'5'\"",
  );
  const manifest = only(text);
  assert.ok("sparkConf" in manifest.spec && "retryInterval" in manifest.spec);
  assert.deepEqual(manifest.spec.sparkConf, { "spark.executor.instances": "2" });
  assert.equal(manifest.spec.retryInterval, 5);
  assert.deepEqual(
    decodeManifests(text).findings.map(({ fix }) => fix),
    ['"2"', "5"],
  );
});

test("reports a YAML 1.1 boolean in a text field", () => {
  checkSpec("nodeSelector: { spot: yes }", 'wrong-type spec.nodeSelector[spot] "yes"');
  checkSpec('nodeSelector: { spot: "yes" }');
});

test("requires integers within their limits", () => {
  check(
    valid.replace("driver: {}", "driver: { cores: 0.5 }"),
    'wrong-type spec.driver.cores "0.5"',
  );
  check(
    valid.replace("executor: {}", "executor: { cores: 0 }"),
    'out-of-range spec.executor.cores "0"',
  );
});

test("reports an invalid choice", () => {
  check(valid.replace("Scala", "scala"), 'bad-choice spec.type "scala"');
  assert.equal(decodeManifests(valid.replace("Scala", "scala")).findings[0]?.fix, "Scala");
});

test("reports a missing required field at its parent", () => {
  const text = valid.replace("  sparkVersion: 4.3.0\n", "");
  const [finding, another] = decodeManifests(text).findings;
  assert.equal(another, undefined);
  assert.equal(finding?.code, "missing-field");
  assert.equal(text.slice(finding.span.start).split("\n")[0], "type: Scala");
  check(
    valid.replace("driver: {}", "driver: { env: [{ value: x }] }"),
    'missing-field spec.driver.env[0].name ""',
  );
});

test("ignores an empty field and drops an empty entry", () => {
  checkSpec("mainClass:");
  checkSpec("sparkConf: { spark.a: }", 'no-effect spec.sparkConf[spark.a] "spark.a"');
  check(valid.replace("driver: {}", "driver:"), 'missing-field spec.driver "driver"');
});

test("reports an old API version without checking its fields", () => {
  const old = valid.replace("v1beta2", "v1beta1").replace("driver: {}", "driver: { cores: 0.1 }");
  check(old, 'old-version apiVersion "sparkoperator.k8s.io/v1beta1"');
  assert.equal(only(old).apiVersion, "sparkoperator.k8s.io/v1beta2");
});

test("reports a misspelled API or kind with a suggestion", () => {
  check(
    valid.replace("sparkoperator", "spark-operator"),
    'unknown-api apiVersion "spark-operator.k8s.io/v1beta2"',
  );
  check(
    valid.replace("kind: SparkApplication", "kind: SparkAplication"),
    'unknown-api kind "SparkAplication"',
  );
});

test("reports conf keys that the webhook rejects", () => {
  const text = withSpec(
    "sparkConf:",
    '  "spark.kubernetes.container.image": x',
    "  spark.kubernetes.authenticate.driver.serviceAccountName: x",
    "  spark.kubernetes.authenticate.oauthToken: x",
    "  spark.kubernetes.namespace: elsewhere",
    "  spark.kubernetes.driver.pod.name: x",
  ).replace("name: pi", "name: pi\n  namespace: here");
  check(
    text,
    'refused spec.sparkConf[spark.kubernetes.container.image] "\\"spark.kubernetes.container.image\\""',
    'refused spec.sparkConf[spark.kubernetes.authenticate.driver.serviceAccountName] "spark.kubernetes.authenticate.driver.serviceAccountName"',
    'refused spec.sparkConf[spark.kubernetes.authenticate.oauthToken] "spark.kubernetes.authenticate.oauthToken"',
    'refused spec.sparkConf[spark.kubernetes.namespace] "spark.kubernetes.namespace"',
    'no-effect spec.sparkConf[spark.kubernetes.driver.pod.name] "spark.kubernetes.driver.pod.name"',
  );
});

test("reports the ineffective one of a conflicting key and field", () => {
  const text = withSpec(
    "imagePullPolicy: Always",
    "sparkConf:",
    "  spark.kubernetes.container.image.pullPolicy: Never",
    "  spark.driver.cores: '2'",
    "  spark.executor.cores: '1'",
  )
    .replace("driver: {}", "driver: { cores: 1 }")
    .replace("executor: {}", "executor: { cores: 1 }");
  check(
    text,
    'no-effect spec.imagePullPolicy "imagePullPolicy"',
    'no-effect spec.sparkConf[spark.driver.cores] "spark.driver.cores"',
  );
});

test("reports names, node selectors and types that the operator rejects", () => {
  check(valid.replace("name: pi", "name: pi.yaml"), 'bad-name metadata.name "pi.yaml"');
  check(
    withSpec("nodeSelector: { a: b }").replace("driver: {}", "driver: { nodeSelector: { a: b } }"),
    'refused spec.nodeSelector "nodeSelector"',
  );
  check(valid.replace("Scala", "Python"), 'no-effect spec.type "Python"');
});

test("reports the files field, which the Apache operator ignores", () => {
  check(
    `apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: a }
spec: { files: x, runtimeVersions: { sparkVersion: 4.2.0 } }
`,
    'no-effect spec.files "files"',
  );
  check(
    `apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: a }
spec: { files: null, runtimeVersions: { sparkVersion: 4.2.0 } }
`,
  );
});

test("accepts template placeholders", () => {
  check(valid.replace("name: pi", "name: ${NAME}").replace("Scala", "{{ type }}"));
  check(valid.replace("driver: {}", "driver: { cores: $(CORES) }"));
  check(valid.replace("executor: {}", "executor:\n    instances: {{ .Values.instances }}"));
});

test("reports invalid YAML and decodes the valid part", () => {
  const text = `${valid}  arguments: [a, b],\n`;
  check(text, 'bad-yaml  ","');
  const manifest = only(text);
  assert.ok("arguments" in manifest.spec);
  assert.deepEqual(manifest.spec.arguments, ["a", "b"]);
});

test("resolves anchors and merge keys like kubectl", () => {
  const text = valid
    .replace("driver: {}", "driver: &role { cores: 2, memory: 1g }")
    .replace("executor: {}", "executor: { <<: *role, memory: 2g }");
  check(text);
  const manifest = only(text);
  assert.ok("executor" in manifest.spec);
  assert.deepEqual(manifest.spec.executor, { cores: 2, memory: "2g" });
});

test("rejects circular and exploding aliases", () => {
  assert.equal(findingsIn("a: &a [*a]").length, 1);
  const bomb = ["a: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level++) {
    bomb.push(`b${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`);
  }
  const { findings } = decodeManifests(bomb.join("\n"));
  assert.ok(findings.some(({ code }) => code === "bad-yaml"));
});

test("rejects deep nesting without a stack overflow", () => {
  for (const piece of ["[", "- ", "{a: ", "? "]) {
    assert.deepEqual(
      decodeManifests(piece.repeat(5_000)).findings.map(({ code }) => code),
      ["bad-yaml"],
    );
  }
});
