import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

const help = openConf();

const codesIn = (text: string, surface: Surface): readonly string[] =>
  help.diagnose(text, surface, "4.3").map(({ code }) => code);

test("ignores an option in a sentence of a program or a script", () => {
  assert.deepEqual(codesIn('print("Use --driver-memory instead of it")', "python"), []);
  assert.deepEqual(codesIn('print("--driver-memory instead")', "python"), []);
  const whole = 'print("Use spark-submit --driver-memory instead of this")';
  assert.deepEqual(codesIn(whole, "python"), []);
  assert.deepEqual(codesIn("echo use --driver-memory instead", "command"), []);
  assert.deepEqual(codesIn("spark-submit --driver-memory lots a.py", "command"), ["bad-size"]);
  assert.deepEqual(codesIn("spark-submit \\\n  --driver-memory lots \\\n  a.py", "command"), [
    "bad-size",
  ]);
});

test("a key that Spark reads before the code runs is reported in code only", () => {
  const key = "spark.kubernetes.namespace";
  assert.deepEqual(codesIn(`builder.config("${key}", "etl")`, "python"), ["R213-too-late-in-code"]);
  assert.deepEqual(codesIn(`new SparkConf().set("${key}", "etl")`, "scala"), [
    "R213-too-late-in-code",
  ]);
  assert.deepEqual(codesIn(`builder.config("spark.executor.memory", "4g")`, "python"), []);
  assert.deepEqual(codesIn(`spark-submit --conf ${key}=etl app.py`, "command"), []);
});

test("reports an option that spark-submit does not have, with its equivalent", () => {
  const [found] = help.diagnose(
    "spark-submit --kubernetes-namespace etl local:///a.py",
    "command",
    "4.3",
  );
  assert.equal(found?.code, "unknown-option");
  assert.equal(
    inEnglish(found.message),
    'spark-submit has no option "--kubernetes-namespace". Use "--conf spark.kubernetes.namespace=…".',
  );
  assert.deepEqual(found.span, { start: 13, end: 35 });
  assert.deepEqual(codesIn("spark-submit --help", "command"), []);
  assert.deepEqual(codesIn("spark-submit $OPTS --weird x a.py", "command"), []);
  assert.deepEqual(codesIn("spark-submit a.py --weird x", "command"), []);
});

const application = (fields: string): string =>
  `apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: { name: a }\nspec:\n${fields}`;

test("unknown fields and refused keys of a manifest are reported while typing", () => {
  const whole =
    "  type: Python\n  mode: cluster\n  sparkVersion: 4.3.0\n  image: a:1\n  mainApplicationFile: local:///a.py\n" +
    "  executor: { memory: 1g }\n";
  const text = application(`${whole}  driver: { memry: 1g, serviceAccount: spark }\n`);
  const [found] = help
    .diagnose(text, "manifest", "4.3")
    .filter(({ severity }) => severity === "error");
  assert.equal(found?.code, "unknown-field");
  assert.equal(text.slice(found.span.start, found.span.end), "memry");
  const refused = application(
    `${whole}  driver: { serviceAccount: spark }\n  sparkConf: { spark.kubernetes.authenticate.driver.serviceAccountName: x }\n`,
  );
  const codes = codesIn(refused, "manifest");
  assert.ok(codes.includes("refused"), codes.join());
});

test("a patch and a template of a manifest need not be complete", () => {
  const manifestCodes = (fields: string): readonly string[] =>
    codesIn(application(fields), "manifest").filter((code) => !/^R\d/.test(code));
  assert.deepEqual(manifestCodes("  driver: { cores: 2 }\n"), []);
  assert.deepEqual(manifestCodes("  driver: { memry: {{ .Values.memory }} }\n"), []);
});

test("a Kubernetes master without two slashes is an error", () => {
  const codes = (master: string): readonly string[] =>
    codesIn(`spark.master ${master}`, "properties").filter((code) => code.startsWith("R001"));
  assert.deepEqual(codes("k8s:/cluster:6443"), ["R001-master-scheme"]);
  assert.deepEqual(codes("k8s:cluster"), ["R001-master-scheme"]);
  assert.deepEqual(codes("k8s://https://cluster:6443"), []);
  assert.deepEqual(codes("yarn"), []);
});
