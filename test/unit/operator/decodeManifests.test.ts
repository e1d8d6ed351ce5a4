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

/** A valid manifest with some lines more in its spec. */
const withSpec = (...lines: readonly string[]): string =>
  valid + lines.map((line) => `  ${line}\n`).join("");

/** `code path "text"` of each finding. */
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

test("a complete manifest is read without findings", () => {
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

test("several documents are read, and those of other kinds are passed over", () => {
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

test("a schedule is read with its template", () => {
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

test("an unknown field is found where it stands, with the one that is meant", () => {
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

test("a value of another type is found, and taken for what it is meant to be", () => {
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

test("what YAML 1.1 takes for a truth value, a text is not", () => {
  checkSpec("nodeSelector: { spot: yes }", 'wrong-type spec.nodeSelector[spot] "yes"');
  checkSpec('nodeSelector: { spot: "yes" }');
});

test("numbers are whole and within their limits", () => {
  check(
    valid.replace("driver: {}", "driver: { cores: 0.5 }"),
    'wrong-type spec.driver.cores "0.5"',
  );
  check(
    valid.replace("executor: {}", "executor: { cores: 0 }"),
    'out-of-range spec.executor.cores "0"',
  );
});

test("a choice is one of its words", () => {
  check(valid.replace("Scala", "scala"), 'bad-choice spec.type "scala"');
  assert.equal(decodeManifests(valid.replace("Scala", "scala")).findings[0]?.fix, "Scala");
});

test("what is required and missing is found at the beginning of what lacks it", () => {
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

test("a field without a value is the same as none; an entry without one is left out", () => {
  checkSpec("mainClass:");
  checkSpec("sparkConf: { spark.a: }", 'no-effect spec.sparkConf[spark.a] "spark.a"');
  check(valid.replace("driver: {}", "driver:"), 'missing-field spec.driver "driver"');
});

test("an old version of an API is named and not judged by the new one", () => {
  const old = valid.replace("v1beta2", "v1beta1").replace("driver: {}", "driver: { cores: 0.1 }");
  check(old, 'old-version apiVersion "sparkoperator.k8s.io/v1beta1"');
  assert.equal(only(old).apiVersion, "sparkoperator.k8s.io/v1beta2");
});

test("a misspelled API or kind is named with the one that is meant", () => {
  check(
    valid.replace("sparkoperator", "spark-operator"),
    'unknown-api apiVersion "spark-operator.k8s.io/v1beta2"',
  );
  check(
    valid.replace("kind: SparkApplication", "kind: SparkAplication"),
    'unknown-api kind "SparkAplication"',
  );
});

test("the keys that the webhook refuses are found in the conf", () => {
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

test("of a key and a field that disagree, the one without effect is found", () => {
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

test("names, node selectors and types that the operator does not take are found", () => {
  check(valid.replace("name: pi", "name: pi.yaml"), 'bad-name metadata.name "pi.yaml"');
  check(
    withSpec("nodeSelector: { a: b }").replace("driver: {}", "driver: { nodeSelector: { a: b } }"),
    'refused spec.nodeSelector "nodeSelector"',
  );
  check(valid.replace("Scala", "Python"), 'no-effect spec.type "Python"');
});

test("the other operator does not read its field for files", () => {
  check(
    `apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: a }
spec: { files: x, runtimeVersions: { sparkVersion: 4.2.0 } }
`,
    'no-effect spec.files "files"',
  );
});

test("what is filled in later is no mistake", () => {
  check(valid.replace("name: pi", "name: ${NAME}").replace("Scala", "{{ type }}"));
  check(valid.replace("driver: {}", "driver: { cores: $(CORES) }"));
  check(valid.replace("executor: {}", "executor:\n    instances: {{ .Values.instances }}"));
});

test("text that is no YAML gives a finding, and what there is of a value", () => {
  const text = `${valid}  arguments: [a, b],\n`;
  check(text, 'bad-yaml  ","');
  const manifest = only(text);
  assert.ok("arguments" in manifest.spec);
  assert.deepEqual(manifest.spec.arguments, ["a", "b"]);
});

test("anchors and merges are resolved as kubectl does", () => {
  const text = valid
    .replace("driver: {}", "driver: &role { cores: 2, memory: 1g }")
    .replace("executor: {}", "executor: { <<: *role, memory: 2g }");
  check(text);
  const manifest = only(text);
  assert.ok("executor" in manifest.spec);
  assert.deepEqual(manifest.spec.executor, { cores: 2, memory: "2g" });
});

test("aliases that lead into themselves or grow without end are refused", () => {
  assert.equal(findingsIn("a: &a [*a]").length, 1);
  const bomb = ["a: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level++) {
    bomb.push(`b${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`);
  }
  const { findings } = decodeManifests(bomb.join("\n"));
  assert.ok(findings.some(({ code }) => code === "bad-yaml"));
});

test("nesting without end is refused before anything could run out of stack", () => {
  for (const piece of ["[", "- ", "{a: ", "? "]) {
    assert.deepEqual(
      decodeManifests(piece.repeat(5_000)).findings.map(({ code }) => code),
      ["bad-yaml"],
    );
  }
});
