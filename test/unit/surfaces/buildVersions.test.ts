import assert from "node:assert/strict";
import { test } from "node:test";
import { versionOfBuild, type BuildFile } from "../../../src/spark/surfaces/buildVersions.ts";

const check = (
  file: BuildFile,
  text: string,
  expected: string | undefined,
  properties = "",
): void => {
  assert.equal(versionOfBuild(file, text, properties), expected, text);
};

test("requirements name a version, or a range with an end", () => {
  check("requirements.txt", "pandas==2.2\npyspark==3.5.1  # as in the image\n", "3.5.1");
  check("requirements.txt", "pyspark[sql,connect]~=3.4.0 ; python_version > '3.8'", "3.4");
  check("requirements.txt", "pyspark>=3.5,<3.6", "3.5");
  check("requirements.txt", "pyspark >= 3.3, < 4", "3.5");
  check("requirements.txt", "pyspark-client==4.0.1", "4.0.1");
  check("requirements.txt", "pyspark>=3.5", undefined);
  check("requirements.txt", "pyspark\npyspark-test==0.2.0\n# pyspark==3.3.0", undefined);
});

test("reads PEP 621, uv and Poetry from a pyproject.toml, and exact versions from a lock file", () => {
  check(
    "pyproject.toml",
    '[project]\ndependencies = [\n  "pandas",\n  "pyspark[sql]==4.0.1",\n]\n',
    "4.0.1",
  );
  check("pyproject.toml", '[dependency-groups]\ndev = ["pyspark>=3.5,<3.6"]\n', "3.5");
  check(
    "pyproject.toml",
    '[tool.poetry.dependencies]\npython = "^3.11"\npyspark = "^3.4"\n',
    "3.5",
  );
  check(
    "pyproject.toml",
    '[tool.poetry.dependencies]\npyspark = { version = "~3.4.1", extras = ["sql"] }\n',
    "3.4",
  );
  check("pyproject.toml", '[tool.poetry.dependencies]\npyspark = "3.5.1"\n', "3.5.1");
  check(
    "uv.lock",
    '[[package]]\nname = "py4j"\nversion = "0.10.9.7"\n\n[[package]]\nname = "pyspark"\nversion = "3.5.3"\n',
    "3.5.3",
  );
  check(
    "poetry.lock",
    '[[package]]\nname = "pyspark"\nversion = "4.1.0"\ndescription = ""\n',
    "4.1.0",
  );
});

test("sbt names it in the library or in a value", () => {
  check(
    "build.sbt",
    'libraryDependencies += "org.apache.spark" %% "spark-sql" % "3.5.1" % "provided"',
    "3.5.1",
  );
  check(
    "build.sbt",
    'val sparkVersion = "4.0.0"\n// "org.apache.spark" %% "spark-core" % "2.4.0"\nlibraryDependencies ++= Seq(\n  "org.apache.spark" %% "spark-core" % sparkVersion,\n)',
    "4.0.0",
  );
  check(
    "project/Dependencies.scala",
    'object Versions {\n  val spark: String = "3.4.2"\n}\nval core = "org.apache.spark" %% "spark-core" % Versions.spark',
    "3.4.2",
  );
  check("build.sbt", 'scalaVersion := "2.13.12"', undefined);
});

test("Maven fills in properties, also of properties", () => {
  const pom = (properties: string, version: string): string => `<project>
  <properties>${properties}</properties>
  <dependencies>
    <!-- <dependency><groupId>org.apache.spark</groupId><version>2.4.0</version></dependency> -->
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13</version></dependency>
    <dependency>
      <groupId>org.apache.spark</groupId>
      <artifactId>spark-sql_\${scala.binary.version}</artifactId>
      ${version}
    </dependency>
  </dependencies>
</project>`;
  check("pom.xml", pom("", "<version>3.5.1</version>"), "3.5.1");
  check(
    "pom.xml",
    pom("<spark.version>3.4.1</spark.version>", "<version>${spark.version}</version>"),
    "3.4.1",
  );
  check(
    "pom.xml",
    pom(
      "<line>3.3.4</line>\n<spark.version>${line}</spark.version>",
      "<version>${spark.version}</version>",
    ),
    "3.3.4",
  );
  check("pom.xml", pom("<spark.version>4.1.0</spark.version>", ""), "4.1.0");
  check("pom.xml", pom("<a>${b}</a><b>${a}</b>", "<version>${a}</version>"), undefined);
});

test("Gradle names it in Groovy, Kotlin, its properties or a catalogue", () => {
  check("build.gradle", "implementation 'org.apache.spark:spark-sql_2.12:3.5.1'", "3.5.1");
  check(
    "build.gradle",
    "ext.sparkVersion = '3.4.1'\nimplementation \"org.apache.spark:spark-sql_2.12:${sparkVersion}\"",
    "3.4.1",
  );
  check(
    "build.gradle",
    "def sparkVersion = '3.3.2'\ncompileOnly group: 'org.apache.spark', name: 'spark-core_2.12', version: sparkVersion",
    "3.3.2",
  );
  check(
    "build.gradle.kts",
    'val sparkVersion by extra("4.0.1")\ndependencies { compileOnly("org.apache.spark:spark-core_2.13:$sparkVersion") }',
    "4.0.1",
  );
  check(
    "build.gradle.kts",
    'compileOnly("org.apache.spark:spark-core_2.13:$sparkVersion")',
    "4.2.0",
    "org.gradle.jvmargs=-Xmx2g\nsparkVersion=4.2.0\n",
  );
  check(
    "gradle/libs.versions.toml",
    '[versions]\nspark = "3.5.1"\n\n[libraries]\nspark-core = { module = "org.apache.spark:spark-core_2.12", version.ref = "spark" }\n',
    "3.5.1",
  );
  check(
    "gradle/libs.versions.toml",
    '[libraries]\nsql = "org.apache.spark:spark-sql_2.13:4.0.0"\n',
    "4.0.0",
  );
  check("build.gradle", "implementation libs.spark.core", undefined);
});

test("text of any length is read in a bounded time", () => {
  for (const text of [
    "x = ".repeat(50_000),
    "<properties>".repeat(20_000),
    '"org.apache.spark" % '.repeat(20_000),
  ]) {
    for (const file of ["build.sbt", "pom.xml", "build.gradle", "pyproject.toml"] as const) {
      check(file, text, undefined);
    }
  }
});
