import { test } from "node:test";
import { checkSettings } from "./checkSettings.ts";

test("a SparkApplication's sparkConf and fields set the same keys; the last one counts", () => {
  checkSettings(
    "manifest",
    `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
spec:
  sparkVersion: 3.5.1
  imagePullPolicy: Always
  sparkConf:
    spark.executor.memory: 4g
    "spark.sql.ansi.enabled": "true"
  executor:
    memory: 2g
    instances: 3
    labels: { team: etl }
`,
    `
spark.kubernetes.container.image.pullPolicy "imagePullPolicy" = Always
spark.executor.memory = 4g
spark.sql.ansi.enabled = true
spark.kubernetes.executor.label.team "team" = etl
spark.executor.memory "memory" = 2g
spark.executor.instances "instances" = 3`,
  );
});

test("each application of a file is a document of its own", () => {
  checkSettings(
    "manifest",
    `apiVersion: spark.apache.org/v1
kind: SparkApplication
spec: { sparkConf: { spark.a: "1" } }
---
apiVersion: sparkoperator.k8s.io/v1beta2
kind: ScheduledSparkApplication
spec: { template: { sparkConf: { spark.b: "2" } } }
---
clusters:
  - spark_conf:
      spark.c: 3
`,
    "spark.a = 1\n--\nspark.b = 2\n--\nspark.c = 3",
  );
});

test("a schema that describes a field by the name of sparkConf sets nothing", () => {
  checkSettings("manifest", "sparkConf:\n  description: settings\n  type: object\n", "");
});
