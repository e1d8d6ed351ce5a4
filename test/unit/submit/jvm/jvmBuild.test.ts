import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  buildCommand,
  chooseJar,
  type JvmProject,
} from "../../../../src/spark/submit/jvm/jvmBuild.ts";

const project = (changes: Partial<JvmProject>): JvmProject => ({
  tool: "maven",
  root: "/w",
  module: "",
  wrapper: undefined,
  texts: [],
  ...changes,
});

describe("the command of a build tool", () => {
  const rows: readonly (readonly [Partial<JvmProject>, string])[] = [
    [{}, "mvn -q -DskipTests package dependency:copy-dependencies -DincludeScope=runtime"],
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
    [{ tool: "sbt" }, "sbt package"],
    [
      { tool: "sbt", texts: ['addSbtPlugin("com.eed3si9n" % "sbt-assembly" % "2.1.1")'] },
      "sbt assembly",
    ],
    [
      { tool: "gradle", module: "jobs/daily", wrapper: "./gradlew" },
      "./gradlew -q :jobs:daily:jar",
    ],
    [{ tool: "gradle", texts: ["id 'com.gradleup.shadow'"] }, "gradle -q shadowJar"],
  ];
  for (const [changes, expected] of rows) {
    test(expected, () => {
      assert.equal(buildCommand(project(changes)), expected);
    });
  }
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
