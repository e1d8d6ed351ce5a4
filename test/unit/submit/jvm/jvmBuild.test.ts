import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  buildCommand,
  chooseJar,
  classPathCommand,
  isBuildFile,
  type JvmProject,
} from "../../../../src/spark/submit/jvm/jvmBuild.ts";

const project = (changes: Partial<JvmProject>): JvmProject => ({
  tool: "maven",
  root: "/w",
  module: "",
  wrapper: undefined,
  texts: [],
  changedMs: 0,
  ...changes,
});

describe("the command of a build tool", () => {
  const rows: readonly (readonly [Partial<JvmProject>, string])[] = [
    [
      {},
      'mvn -q -DskipTests package dependency:build-classpath -DincludeScope=runtime "-Dmdep.outputFile=target/sparkClassPath.txt"',
    ],
    [
      { texts: ["<artifactId>maven-shade-plugin</artifactId>"], wrapper: "./mvnw" },
      "./mvnw -q -DskipTests package",
    ],
    [
      { module: "jobs/daily", texts: ["maven-assembly-plugin"] },
      "mvn -q -DskipTests package -pl jobs/daily -am",
    ],
    [
      { module: "my jobs", texts: ["maven-shade-plugin"] },
      'mvn -q -DskipTests package -pl "my jobs" -am',
    ],
    [{ tool: "sbt" }, "sbt package Runtime/fullClasspathAsJars"],
    [
      { tool: "sbt", texts: ['addSbtPlugin("com.eed3si9n" % "sbt-assembly" % "2.1.1")'] },
      "sbt assembly",
    ],
    [
      { tool: "gradle", module: "jobs/daily", wrapper: "./gradlew" },
      "./gradlew -q --init-script /m/classPath.gradle :jobs:daily:jar :jobs:daily:sparkClassPath",
    ],
    [{ tool: "gradle", texts: ["id 'com.gradleup.shadow'"] }, "gradle -q shadowJar"],
  ];
  for (const [changes, expected] of rows) {
    test(expected, () => {
      assert.equal(buildCommand(project(changes), "/m/classPath.gradle"), expected);
    });
  }

  test("quotes the path of the script", () => {
    const command = buildCommand(project({ tool: "gradle" }), "/my apps/c.gradle");
    assert.equal(command, 'gradle -q --init-script "/my apps/c.gradle" jar sparkClassPath');
  });

  test("asks sbt and Gradle for the class path alone, and Maven never", () => {
    const ask = (changes: Partial<JvmProject>): string | undefined =>
      classPathCommand(project(changes), "/m/c.gradle");
    assert.equal(ask({ tool: "sbt" }), "sbt Runtime/fullClasspathAsJars");
    assert.equal(
      ask({ tool: "gradle", module: "jobs", wrapper: "./gradlew" }),
      "./gradlew -q --init-script /m/c.gradle :jobs:sparkClassPath",
    );
    assert.equal(ask({ tool: "maven" }), undefined);
  });
});

test("recognizes build files that can change the dependencies", () => {
  const names = [
    "gradle/libs.versions.toml",
    "project/Versions.scala",
    "project/target",
    "a.scala",
  ];
  assert.deepEqual(names.filter(isBuildFile), names.slice(0, 2));
});

describe("the jar of a build", () => {
  const choose = (jars: Readonly<Record<string, number>>): string | undefined =>
    chooseJar(Object.entries(jars).map(([path, modifiedMs]) => ({ path, modifiedMs })))?.path;

  test("is none if there are only sources, tests and originals", () => {
    assert.equal(
      choose({ "/t/a-sources.jar": 1, "/t/a-tests.jar": 1, "/t/original-a.jar": 1 }),
      undefined,
    );
  });
  test("is the one with its dependencies of the same build", () => {
    assert.equal(
      choose({ "/t/a-1.jar": 1_000, "/t/a-1-jar-with-dependencies.jar": 3_000 }),
      "/t/a-1-jar-with-dependencies.jar",
    );
    assert.equal(
      choose({ "/t/a-assembly-1.jar": 1_000, "/t/a-1.jar": 3_000 }),
      "/t/a-assembly-1.jar",
    );
  });
  test("is the newest if an older build left another one", () => {
    assert.equal(choose({ "/t/a-1-all.jar": 1_000, "/t/a-2.jar": 900_000 }), "/t/a-2.jar");
  });
});
