import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { convert } from "../../../src/spark/operator/convert.ts";
import { checkConversion, line, lossesOf, object, place } from "./conversions.ts";

const defaults =
  "spark.authenticate, spark.io.encryption.enabled, spark.kubernetes.driver.annotateExitException, spark.kubernetes.executor.useDriverPodIP";

test("converts a command line into an object with its conf", () => {
  const conversion = checkConversion(
    line(`
      --deploy-mode cluster
      --name pi
      --class org.example.Pi
      --jars local:///b.jar
      --driver-memory 2g
      --proxy-user alice
      --conf spark.kubernetes.namespace=etl
      --conf spark.kubernetes.container.image=spark:4.2.1
      --conf spark.kubernetes.context=dev
      local:///a.jar
      10`),
    "apache",
    `
    metadata:
      name: pi
      namespace: etl
    spec:
      mainClass: org.example.Pi
      jars: local:///a.jar
      driverArgs:
        - "10"
      proxyUser: alice
      sparkConf:
        spark.driver.memory: "2g"
        spark.kubernetes.container.image: spark:4.2.1
        spark.jars: local:///b.jar,local:///a.jar
      runtimeVersions:
        sparkVersion: "4.3.0"`,
  );
  assert.deepEqual(lossesOf(conversion), [
    "dropped spark.kubernetes.context",
    `changed ${defaults}`,
  ]);
});

test("sets the runner class of Python and R applications", () => {
  const python = line("--deploy-mode cluster\n--name pi\n--py-files local:///b.py\nlocal:///a.py");
  checkConversion(
    python,
    "apache",
    `
    metadata:
      name: pi
    spec:
      mainClass: org.apache.spark.deploy.PythonRunner
      pyFiles: local:///a.py
      sparkConf:
        spark.submit.pyFiles: local:///b.py
      runtimeVersions:
        sparkVersion: "4.3.0"`,
  );
  checkConversion(
    line("--deploy-mode cluster\n--name pi\nlocal:///a.R"),
    "apache",
    `
    metadata:
      name: pi
    spec:
      mainClass: org.apache.spark.deploy.RRunner
      sparkRFiles: local:///a.R
      runtimeVersions:
        sparkVersion: "4.3.0"`,
  );
  checkConversion(
    object(`apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: pi }
spec:
  pyFiles: local:///a.py,local:///b.py
  runtimeVersions: { sparkVersion: 4.2.0 }
`),
    "line",
    "--deploy-mode cluster\n--name pi\n--py-files local:///b.py local:///a.py",
  );
});

test("names the R files that a conversion drops", () => {
  const conversion = checkConversion(
    object(`apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: pi }
spec:
  sparkRFiles: local:///a.R,local:///b.R
  runtimeVersions: { sparkVersion: 4.2.0 }
`),
    "line",
    "--deploy-mode cluster\n--name pi local:///a.R",
  );
  const [loss] = conversion.losses;
  assert.deepEqual(
    [loss?.entry, loss && inEnglish(loss.reason)],
    ["spec.sparkRFiles", "An R application has only one file. Not converted: local:///b.R."],
  );
});

const withTemplate = object(`apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: { name: pi, namespace: etl, labels: { a: b } }
spec:
  mainClass: A
  jars: local:///a.jar
  driverArgs: ["10"]
  sparkConf:
    spark.jars: local:///b.jar,local:///a.jar
    spark.authenticate: "false"
    spark.kubernetes.container.image: "apache/spark:{{SPARK_VERSION}}"
    spark.log: "{{SPARK_VERSION}}"
  driverSpec: { podTemplateSpec: { spec: { containers: [{ name: x, tty: true }] } } }
  applicationTolerations: { ttlAfterStopMillis: 10 }
  runtimeVersions: { sparkVersion: 4.2.0 }
`);

test("converts an object into the operator's command line", () => {
  const conversion = checkConversion(
    withTemplate,
    "line",
    `
    --deploy-mode cluster
    --name pi
    --jars local:///b.jar
    --class A
    --conf spark.authenticate=false
    --conf spark.kubernetes.container.image=apache/spark:4.2.0
    --conf spark.log={{SPARK_VERSION}}
    --conf spark.kubernetes.namespace=etl
    --conf spark.kubernetes.driver.podTemplateFile=driver-pod-template.yaml local:///a.jar 10`,
  );
  assert.ok(conversion.form.kind === "line");
  assert.equal(conversion.form.line.sparkVersion, "4.2.0");
  assert.deepEqual(lossesOf(conversion), [
    "dropped metadata",
    "dropped spec.applicationTolerations",
    `dropped ${defaults.replace("spark.authenticate, ", "")}`,
  ]);
});

test("keeps pod templates between operators", () => {
  checkConversion(
    withTemplate,
    "kubeflow",
    `
    metadata:
      name: pi
      namespace: etl
    spec:
      type: Scala
      mode: cluster
      sparkVersion: "4.2.0"
      image: apache/spark:4.2.0
      mainClass: A
      mainApplicationFile: local:///a.jar
      arguments:
        - "10"
      deps:
        jars:
          - local:///b.jar
      sparkConf:
        spark.authenticate: "false"
        spark.log: "{{SPARK_VERSION}}"
      driver:
        template:
          spec:
            containers:
              - name: spark-kubernetes-driver
                tty: true
      executor:
        instances: 2`,
  );
});

test("converts a class in the image without a jar", () => {
  const source = line("--deploy-mode cluster\n--name pi\n--class A\nspark-internal");
  const conversion = checkConversion(
    source,
    "apache",
    `
    metadata:
      name: pi
    spec:
      mainClass: A
      runtimeVersions:
        sparkVersion: "4.3.0"`,
  );
  checkConversion(
    conversion.form,
    "line",
    "--deploy-mode cluster\n--name pi\n--class A spark-internal",
  );
});

test("reports a deploy mode that the operator lacks", () => {
  const conversion = convert(
    line("--deploy-mode client\n--name pi\nlocal:///a.jar"),
    "apache",
    place,
  );
  assert.deepEqual(lossesOf(conversion), [
    "dropped spark.submit.deployMode",
    `changed ${defaults}`,
  ]);
});
