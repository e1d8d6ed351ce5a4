import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ResolvedConf } from "../../../../src/spark/submit/conf/conf.ts";
import { wantedPackages } from "../../../../src/spark/submit/maven/mavenPackages.ts";

const confOf = (entries: Readonly<Record<string, string>>): ResolvedConf =>
  new Map(
    Object.entries(entries).map(([key, value]) => [key, { value, origin: { kind: "computed" } }]),
  );
const central = ["https://repo1.maven.org", "maven2", ""].join("/");
const always = (): boolean => true;

describe("packages of a conf", () => {
  test("are asked for in the repositories of the conf before those of Spark", () => {
    const conf = confOf({
      "spark.jars.packages": "io.delta:delta-spark_2.13:4.0.0, a.b:c/1",
      "spark.jars.repositories": "https://repo.example.com/maven",
    });
    assert.deepEqual(wantedPackages(conf, always), [
      {
        coordinates: "io.delta:delta-spark_2.13:4.0.0",
        addresses: [
          "https://repo.example.com/maven/io/delta/delta-spark_2.13/4.0.0/delta-spark_2.13-4.0.0.pom",
          `${central}io/delta/delta-spark_2.13/4.0.0/delta-spark_2.13-4.0.0.pom`,
          "https://repos.spark-packages.org/io/delta/delta-spark_2.13/4.0.0/delta-spark_2.13-4.0.0.pom",
        ],
      },
      {
        coordinates: "a.b:c/1",
        addresses: [
          "https://repo.example.com/maven/a/b/c/1/c-1.pom",
          `${central}a/b/c/1/c-1.pom`,
          "https://repos.spark-packages.org/a/b/c/1/c-1.pom",
        ],
      },
    ]);
  });

  for (const [what, entries] of [
    ["a file of settings names the repositories", { "spark.jars.ivySettings": "/ivy.xml" }],
    ["a repository is not on the web", { "spark.jars.repositories": "file:///repo" }],
  ] as const) {
    test(`are not checked if ${what}`, () => {
      const conf = confOf({ "spark.jars.packages": "a:b:1", ...entries });
      assert.deepEqual(wantedPackages(conf, always), []);
    });
  }

  test("are not checked if a variable decides about the request", () => {
    const conf = confOf({ "spark.jars.packages": "a:b:1,a:secret:1" });
    const asked = wantedPackages(conf, (value) => !value.includes("secret"));
    assert.deepEqual(
      asked.map(({ coordinates }) => coordinates),
      ["a:b:1"],
    );
    const repositories = confOf({
      "spark.jars.packages": "a:b:1",
      "spark.jars.repositories": "https://secret.example.com",
    });
    assert.deepEqual(
      wantedPackages(repositories, (value) => !value.includes("secret")),
      [],
    );
  });

  test("are none for invalid coordinates", () => {
    for (const text of ["a:b", "a:b:1:2", "a:../b:1", "a:b:1?x", "a b:c:1"]) {
      assert.deepEqual(wantedPackages(confOf({ "spark.jars.packages": text }), always), []);
    }
  });
});
