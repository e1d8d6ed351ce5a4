import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionLine } from "../../../src/spark/submit/code/sessionLine.ts";
import { surfaceOfFile } from "../../../src/spark/surfaces/surfaceOfFile.ts";

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
