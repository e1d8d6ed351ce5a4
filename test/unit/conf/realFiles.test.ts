import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { diagnoserOf } from "../../../src/spark/conf/lint/diagnoseConf.ts";
import { parseProperties } from "../../../src/spark/conf/parse/properties.ts";

const diagnose = diagnoserOf(openCatalogue());
const shared = process.env["SPARK_K8S_SHARED"];
const folder = join(shared ?? "", "real-world");
const releases = shared === undefined ? [] : (["3.5.9", "4.3.0"] as const);

/** Returns the values that Spark rejected, as `file, key, value`. */
function refusedIn(release: string): ReadonlySet<string> {
  const lines = readFileSync(join(folder, `defaults-verdicts-${release}.tsv`), "utf8").split("\n");
  return new Set(
    lines
      .map((line) => line.split("\t"))
      .filter(([, , , , verdict]) => verdict === "ERR")
      .map(([file, , key, value]) => [file, key, value].join("\t")),
  );
}

// If the published files are missing, the test checks this file instead.
const ownFile = [
  "spark.master                        k8s://https://api.example.com:6443",
  "spark.submit.deployMode             cluster",
  "spark.executor.memory               8g",
  "spark.dynamicAllocation.enabled     true",
  "spark.dynamicAllocation.maxExecutors ${MAX}",
  "spark.kubernetes.namespace          data",
  "spark.hadoop.fs.s3a.endpoint        http://minio:9000",
].join("\n");

test("a file of everyday settings raises no alarm", () => {
  const alarms = diagnose(parseProperties(ownFile), "4.3", new Map()).filter(
    ({ severity }) => severity === "error" || severity === "warning",
  );
  assert.deepEqual(alarms, []);
});

for (const release of releases) {
  test(`no file that people published has an error but where Spark ${release} refuses the value`, () => {
    assert.ok(existsSync(folder));
    const refused = refusedIn(release);
    const version = release === "3.5.9" ? "3.5" : "4.3";
    let files = 0;
    for (const file of readdirSync(join(folder, "defaults"))) {
      files++;
      const document = parseProperties(readFileSync(join(folder, "defaults", file), "utf8"));
      const errors = diagnose(document, version, new Map()).filter(
        ({ severity }) => severity === "error",
      );
      for (const { span, code } of errors) {
        const entry = document.entries.find(
          ({ keySpan, valueSpan }) => keySpan.start <= span.start && span.end <= valueSpan.end,
        );
        const name = [file, entry?.key, entry?.value].join("\t");
        assert.ok(refused.has(name), `${code} ${name}`);
      }
    }
    assert.ok(files > 100);
  });
}
