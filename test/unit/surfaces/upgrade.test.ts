import { inEnglish } from "../../../src/base/message.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits } from "../../../src/base/textEdit.ts";
import { openConf } from "../../../src/editor/conf/door.ts";

const help = openConf();

test("an upgrade reports new findings and fixes the certain ones", () => {
  const text = "spark.mesos.coarse true\nspark.excutor.cores 2\nspark.blacklist.enabled true\n";
  const { findings, edits } = help.upgrade(text, "properties", "3.5", "4.1");
  assert.deepEqual(
    findings.map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`),
    ["R180-mesos-key spark.mesos.coarse"],
  );
  assert.ok(!applyEdits(text, edits).includes("spark.executor.cores"), "no matter of the upgrade");
});

test("a downgrade restores the old grammar of sizes, even if the text names another version", () => {
  const text = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
spec:
  sparkVersion: 4.3.0
  executor: { memory: 4Gi }
`;
  const { findings, edits } = help.upgrade(text, "manifest", "4.3", "4.1");
  assert.deepEqual(
    findings.map(({ code }) => code),
    ["R035-size-unit"],
  );
  assert.ok(applyEdits(text, edits).includes("memory: 4g"));
});

test("reports changed defaults, except of keys that are set", () => {
  const defaults = help.changedDefaults("3.5", "4.3");
  const ansi = defaults.find(({ key }) => key === "spark.sql.ansi.enabled");
  assert.deepEqual(ansi, {
    key: "spark.sql.ansi.enabled",
    before: { value: "false" },
    after: { value: "true" },
  });
  const file = (text: string) => ({
    ...help.upgrade(text, "properties", "3.5", "4.3"),
    name: "spark-defaults.conf",
    uri: "file:///w/spark-defaults.conf",
    text,
  });
  const report = (text: string): string =>
    help.upgradeReport("3.5", "4.3", [file(text)], defaults, inEnglish);
  assert.match(report("spark.a 1"), /^- spark\.sql\.ansi\.enabled: false → true$/m);
  assert.ok(!report("spark.sql.ansi.enabled false").includes("ansi.enabled: "));
  assert.match(
    report("spark.a 1\nspark.mesos.coarse true\n"),
    /^spark-defaults\.conf\n-{19}\n\n\w+ R180-mesos-key: Line 2, spark\.mesos\.coarse\n {2}\S/m,
  );
  assert.match(
    help.upgradeReport("3.5", "4.3", [], [], inEnglish),
    /No file in the workspace contains Spark properties/,
  );
});

test("a report counts files, findings and fixes, and lists only files with findings", () => {
  const file = (name: string, text: string) => ({
    ...help.upgrade(text, "properties", "4.3", "4.1"),
    name,
    uri: `file:///w/${name}`,
    text,
  });
  const files = [
    file("a.conf", "spark.executor.memory 4Gi\nspark.driver.memory 2Gi\n"),
    file("b.conf", "spark.app.name orders\n"),
    file("c.conf", "spark.executor.memory 4Gi\n"),
  ];
  const report = help.upgradeReport("4.3", "4.1", files, [], inEnglish);
  assert.match(report, /^From Spark 4\.3 to Spark 4\.1\n/);
  assert.match(report, /3 files with Spark properties: 3 findings in 2 files, 3 safe fixes\./);
  assert.match(report, /^a\.conf\n-{6}\n\n/m);
  assert.ok(!report.includes("b.conf"), report);
  assert.match(report, /Changed defaults\n-{16}\n\nNo changed default applies here\.\n/);
});

test("a report over a workspace without settings says so", () => {
  const report = help.upgradeReport("3.5", "4.0", [], [], inEnglish);
  assert.ok(report.includes("No file in the workspace contains Spark properties"), report);
});
