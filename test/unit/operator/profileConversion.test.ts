import assert from "node:assert/strict";
import { test } from "node:test";
import { convert } from "../../../src/spark/operator/convert.ts";
import type { RunProfile } from "../../../src/spark/submit/profile/runProfile.ts";
import { checkConversion, line, lossesOf, object, place } from "./conversions.ts";

const commandLine = line(`
  --master k8s://https://h:6443
  --deploy-mode cluster
  --name orders
  --class A
  --jars local:///a.jar,local:///b.jar
  --py-files local:///c.py
  --packages g:a:1
  --executor-cores 4
  --properties-file conf/spark-defaults.conf
  --extra-properties-file more.conf
  --proxy-user alice
  --verbose
  --conf spark.kubernetes.context=dev
  --conf spark.kubernetes.namespace=etl
  --conf spark.kubernetes.container.image=spark:4.3.0
  --conf spark.kubernetes.authenticate.driver.serviceAccountName=spark
  --conf spark.files=
  s3a://b/main.py
  --date
  today`);

const profile: RunProfile = {
  application: "s3a://b/main.py",
  class: "A",
  args: ["--date", "today"],
  name: "orders",
  image: "spark:4.3.0",
  sparkVersion: "4.3.0",
  master: "k8s://https://h:6443",
  context: "dev",
  namespace: "etl",
  serviceAccount: "spark",
  proxyUser: "alice",
  propertiesFile: "conf/spark-defaults.conf",
  extraPropertiesFiles: ["more.conf"],
  jars: ["local:///a.jar", "local:///b.jar"],
  pyFiles: ["local:///c.py"],
  packages: ["g:a:1"],
  // An empty list differs from a missing one.
  conf: { "spark.files": "", "spark.executor.cores": "4" },
};

test("converts a command line into a profile", () => {
  const conversion = convert(commandLine, "profile", place);
  assert.deepEqual(conversion.form, { kind: "profile", profile });
  assert.deepEqual(lossesOf(conversion), ["dropped --verbose"]);
});

test("prefers the later one of an option and its conf key", () => {
  const confOf = (text: string): unknown => {
    const { form } = convert(
      line(`--deploy-mode cluster\n${text}\nlocal:///a.jar`),
      "profile",
      place,
    );
    return form.kind === "profile" ? form.profile.conf : undefined;
  };
  const key = "spark.driver.memory";
  assert.deepEqual(confOf(`--driver-memory 1g\n--conf ${key}=2g`), { [key]: "2g" });
  assert.deepEqual(confOf(`--conf ${key}=2g\n--driver-memory 1g`), { [key]: "1g" });
  const cores = "spark.executor.cores";
  assert.deepEqual(confOf(`--executor-cores 1\n--conf ${cores}=2`), { [cores]: "1" });
});

test("converts a profile into a command line", () => {
  const conversion = checkConversion(
    { kind: "profile", profile: { ...profile, follow: "all" } },
    "line",
    `
    --master k8s://https://h:6443
    --deploy-mode cluster
    --name orders
    --jars local:///a.jar,local:///b.jar
    --files${" "}
    --py-files local:///c.py
    --packages g:a:1
    --executor-cores 4
    --class A
    --proxy-user alice
    --properties-file conf/spark-defaults.conf
    --extra-properties-file more.conf
    --conf spark.kubernetes.context=dev
    --conf spark.kubernetes.namespace=etl
    --conf spark.kubernetes.container.image=spark:4.3.0
    --conf spark.kubernetes.authenticate.driver.serviceAccountName=spark s3a://b/main.py
    --date today`,
  );
  assert.deepEqual(lossesOf(conversion), ["dropped follow"]);
});

test("converts a profile with its context's overrides into an object", () => {
  const conversion = checkConversion(
    {
      kind: "profile",
      profile: {
        application: "local:///a.py",
        name: "orders",
        image: "spark:4.3.0",
        conf: { "spark.executor.instances": "1" },
        contexts: {
          prod: { image: "spark:3.5.9", namespace: "p", conf: { "spark.a": "b" }, confirm: true },
        },
      },
    },
    "kubeflow",
    `
    metadata:
      name: orders
      namespace: p
    spec:
      type: Python
      mode: cluster
      sparkVersion: "3.5.9"
      image: spark:3.5.9
      mainApplicationFile: local:///a.py
      sparkConf:
        spark.a: b
      driver: {}
      executor:
        instances: 1`,
    { context: "prod", sparkVersion: "4.0.5" },
  );
  assert.deepEqual(lossesOf(conversion), ["dropped contexts"]);
});

test("adds an object's templates as files", () => {
  const source = object(`apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: { name: pi }
spec:
  type: Scala
  sparkVersion: 4.3.0
  mainApplicationFile: local:///a.jar
  driver: {}
  executor: { tolerations: [{ operator: Exists }] }
`);
  const { form, files } = convert(source, "profile", place);
  assert.ok(form.kind === "profile");
  assert.deepEqual(form.profile.conf, {
    "spark.executor.instances": "1",
    "spark.kubernetes.executor.podTemplateFile": "executor-pod-template.yaml",
  });
  assert.deepEqual(
    files.map(({ name }) => name),
    ["executor-pod-template.yaml"],
  );
});

test("reports an invalid command line and one without a submission", () => {
  const codesOf = (text: string): readonly string[] =>
    convert(line(text), "profile", place).findings.map(({ code }) => code);
  assert.deepEqual(codesOf("--nmae x\nlocal:///a.jar"), ["E-02"]);
  assert.deepEqual(codesOf("--name x"), ["E-08"]);
  assert.deepEqual(codesOf("--kill ns:pod"), ["E-60"]);
  assert.deepEqual(codesOf("--name x\nlocal:///a.jar"), []);
});

test("reports conf entries that spark-submit ignores or rejects as losses", () => {
  const source = line("--deploy-mode cluster\n--conf a=b\n--conf spark.a\nlocal:///a.jar");
  assert.deepEqual(lossesOf(convert(source, "profile", place)), [
    "dropped --conf a=b",
    "dropped --conf spark.a",
  ]);
});
