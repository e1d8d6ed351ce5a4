// Any input gives either a plan or findings.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commandOptions } from "../../../src/spark/submit/arguments/options.ts";
import { prepareAction, withOptions } from "./prepared.ts";

const versions = ["3.3.4", "3.4.4", "3.5.9", "4.0.5", "4.1.4", "4.2.1", "4.3.0", "9.9.9", ""];
const keys = [
  "spark.kubernetes.driver.podTemplateFile",
  "spark.kubernetes.driver.volumes.emptyDir.a.mount.path",
  "spark.kubernetes.driver.volumes.persistentVolumeClaim.a.options.claimName",
  "spark.kubernetes.driver.secretKeyRef.A",
  "spark.kubernetes.driver.label.a",
  "spark.kubernetes.driver.service.ipFamilies",
  "spark.kubernetes.configMap.maxSize",
  "spark.driver.memory",
  "spark.driver.memoryOverhead",
  "spark.driver.resource.gpu.amount",
  "spark.driver.port",
  "spark.files",
  "spark.jars.packages",
  "spark.local.dir",
  "spark.a",
];
const values = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "1",
    "-1",
    "1g",
    "true",
    "a:b",
    "f",
    "t.yaml",
    "[",
    "{a,b}",
    "${spark.a}",
    "#",
    ",",
  ),
);
const option = fc.oneof(
  fc.constantFrom(...commandOptions.map(({ name }) => name)).map((name) => [name]),
  fc.tuple(fc.constantFrom(...commandOptions.map(({ name }) => name)), values),
  fc.tuple(fc.constantFrom(...keys), values).map(([key, value]) => ["--conf", `${key}=${value}`]),
  values.map((value) => [value]),
);
const files = fc.record({
  "/cwd/t.yaml": values,
  "/cwd/f": values,
  "/conf/spark-defaults.conf": values,
  "/conf/spark-env.sh": values,
});

test("never throws for any command line and any files", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...versions),
      fc.array(option, { maxLength: 6 }),
      fc.boolean(),
      files,
      (sparkVersion, parts, isWhole, texts) => {
        const tokens = isWhole ? withOptions(...parts.flat()) : parts.flat();
        const environment = { SPARK_CONF_DIR: "/conf", SPARK_SUBMIT_OPTS: texts["/cwd/f"] };
        const place = { files: texts, environment };
        const result = prepareAction(tokens, { ...place, version: sparkVersion });
        if (!result.ok) assert.ok(result.error.some(({ severity }) => severity === "error"));
      },
    ),
    { numRuns: 1500 },
  );
});

test("never throws for any properties file and any template", () => {
  fc.assert(
    fc.property(fc.constantFrom(...versions), values, values, (sparkVersion, conf, template) => {
      const tokens = withOptions(
        ...["--properties-file", "f"],
        ...["--conf", "spark.kubernetes.driver.podTemplateFile=t.yaml"],
      );
      const place = { files: { "/cwd/f": conf, "/cwd/t.yaml": template } };
      const result = prepareAction(tokens, { ...place, version: sparkVersion });
      if (!result.ok) assert.ok(result.error.length > 0);
    }),
    { numRuns: 1000 },
  );
});
