import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionLine } from "../../../src/spark/submit/code/sessionLine.ts";
import { surfaceOfFile, surfaceOfText } from "../../../src/spark/surfaces/surfaceOfFile.ts";

const files = {
  properties: [
    "conf/spark-defaults.conf",
    "spark-defaults-dev.properties",
    "spark.properties",
    "etl.spark.conf",
    "a.spark.properties",
    "spark-defaults.conf.template",
  ],
  manifest: ["etl.yaml", "C:\\jobs\\ETL.YML"],
  command: [
    "run.sh",
    "run.bash",
    "run.zsh",
    "run.bat",
    "run.cmd",
    "run.ps1",
    "README.md",
    "a.mk",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Dockerfile",
    "Dockerfile.dev",
    "Containerfile",
    "etl.dockerfile",
  ],
  python: ["jobs/etl.py", "etl.pyi"],
  scala: ["Etl.scala", "etl.sc", "build.sbt"],
  java: ["Etl.java"],
  profiles: [".vscode/tasks.json", "team.code-workspace"],
} as const;

for (const [surface, paths] of Object.entries(files)) {
  test(`finds ${surface} by the name of a file`, () => {
    for (const path of paths) assert.equal(surfaceOfFile(path), surface, path);
  });
}

test("finds no settings in other files", () => {
  for (const path of [
    "spark.conf",
    "my-spark-defaults.conf",
    "a.json",
    "tasks.json/a",
    "a.pyc",
    "x.javascript",
    "mymakefile2",
    "",
  ]) {
    assert.equal(surfaceOfFile(path), undefined, path);
  }
});

test("finds properties files under other names by their settings", () => {
  const text = "# team\nspark.dynamicAllocation.enabled true\nspark.executor.memory 4g\n";
  for (const path of ["conf/messy-defaults.conf", "big.properties", "team.ini", "a.cfg", "b.TXT"]) {
    assert.equal(surfaceOfText(path, text), "properties", path);
    assert.equal(surfaceOfText(path, "server.port 80\n"), undefined, path);
  }
  assert.equal(surfaceOfText("notes.log", text), undefined);
  assert.equal(surfaceOfText("run.sh", text), "command");
});

test("finds the line on which a program gets its Spark session", () => {
  for (const line of [
    "spark = SparkSession.builder.getOrCreate()",
    "SparkSession . getActiveSession()",
    "s = SparkSession.active()",
    "sc = SparkContext()",
    "sc = SparkContext.getOrCreate()",
  ]) {
    assert.equal(sessionLine(`import x\n# SparkSession.builder\n${line}\n${line}`), 2, line);
  }
  for (const text of [
    "",
    "  # SparkContext()",
    "MySparkContext()",
    "SparkSession",
    "SparkSession.builders",
  ]) {
    assert.equal(sessionLine(text), undefined, text);
  }
});
