import assert from "node:assert/strict";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { jvmPrograms } from "../../../../src/storage/jvm/jvmPrograms.ts";
import { zipOf } from "../zipFixture.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const programs = jvmPrograms("/m/classPath.gradle");
const source = "package shop\nobject Orders { def main(args: Array[String]): Unit = () }\n";

function projectOf(t: TestContext, files: Readonly<Record<string, string | Buffer>>): string {
  const root = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

const jar = (...classes: readonly string[]): Buffer =>
  zipOf(classes.map((name) => ({ name: `${name}.class`, text: "x" })));

async function builtFrom(root: string, file: string, artifact?: string) {
  const found = await programs.find(join(root, file), root);
  return found.ok ? programs.built(found.value, artifact) : found;
}

describe("the project of a program", () => {
  test("is the outermost folder of its build tool, with the module below it", async (t) => {
    const root = projectOf(t, {
      "pom.xml": "<project/>",
      mvnw: "",
      "jobs/pom.xml": "<project>maven-shade-plugin</project>",
      "jobs/src/main/scala/Orders.scala": source,
    });
    const found = await programs.find(join(root, "jobs/src/main/scala/Orders.scala"), root);
    assert.ok(found.ok);
    const { mainClass, command, project } = found.value;
    assert.equal(mainClass, "shop.Orders");
    assert.equal(command, "./mvnw -q -DskipTests package -pl jobs -am");
    assert.deepEqual([project.root, project.module], [root, "jobs"]);
  });

  test("has the module of its sources if only the root has a build file", async (t) => {
    const root = projectOf(t, {
      "build.sbt": "lazy val jobs = project",
      "project/plugins.sbt": 'addSbtPlugin("com.eed3si9n" % "sbt-assembly" % "2.2.0")',
      "jobs/src/main/scala/Orders.scala": source,
      "jobs/target/scala-2.13/jobs-assembly-0.1.jar": jar("shop/Orders"),
    });
    const built = await builtFrom(root, "jobs/src/main/scala/Orders.scala");
    assert.ok(built.ok, JSON.stringify(built));
    assert.equal(built.value.jar, join(root, "jobs/target/scala-2.13/jobs-assembly-0.1.jar"));
  });

  test("does not exist without a build file in the workspace folder", async (t) => {
    const root = projectOf(t, { "pom.xml": "", "inner/Orders.scala": source });
    const found = await programs.find(join(root, "inner/Orders.scala"), join(root, "inner"));
    assert.ok(!found.ok);
    assert.match(found.error.detail, /no parent folder has a build file/);
  });

  test("is not searched for a source above 1 MiB", async (t) => {
    const sized = (size: number): string => source.padEnd(size);
    const files = { "a/A.scala": sized(1 << 20), "b/B.scala": sized((1 << 20) + 1) };
    const root = projectOf(t, { "pom.xml": "", ...files });
    assert.equal((await programs.find(join(root, "a/A.scala"), root)).ok, true);
    assert.deepEqual(await programs.find(join(root, "b/B.scala"), root), {
      ok: false,
      error: { path: join(root, "b/B.scala"), detail: "the file cannot be read." },
    });
  });

  test("needs a main method", async (t) => {
    const root = projectOf(t, { "pom.xml": "", "A.java": "class A {}" });
    assert.deepEqual(await programs.find(join(root, "A.java"), root), {
      ok: false,
      error: { path: join(root, "A.java"), detail: "it has no main method." },
    });
  });
});

describe("the jar of a program", () => {
  const main = "src/main/scala/Orders.scala";

  test("brings the dependencies of a thin jar, and none of a whole one", async (t) => {
    const thin = {
      "pom.xml": "",
      [main]: source,
      "target/orders-1.jar": jar("shop/Orders"),
      "target/dependency/gson.jar": jar("a/B"),
    };
    const root = projectOf(t, thin);
    assert.deepEqual(await builtFrom(root, main), {
      ok: true,
      value: {
        jar: join(root, "target/orders-1.jar"),
        dependencies: [join(root, "target/dependency/gson.jar")],
      },
    });
    const whole = projectOf(t, { ...thin, "target/orders-1-all.jar": jar("shop/Orders") });
    const built = await builtFrom(whole, main);
    assert.ok(built.ok);
    assert.deepEqual(built.value.dependencies, []);
  });

  test("brings only what an image of Spark lacks if the dependencies contain Spark", async (t) => {
    const root = projectOf(t, {
      "pom.xml": "",
      [main]: source,
      "target/orders-1.jar": jar("shop/Orders"),
      "target/dependency/breeze_2.13-2.1.0.jar": jar("a/B"),
      "target/dependency/jackson-core-2.15.2.jar": jar("a/B"),
      "target/dependency/scala-library-2.13.16.jar": jar("a/B"),
      "target/dependency/scala3-library_3-3.7.4.jar": jar("a/B"),
      "target/dependency/spark-avro_2.13-4.0.1.jar": jar("a/B"),
      "target/dependency/spark-core_2.13-4.0.1.jar": jar("a/B"),
    });
    const built = await builtFrom(root, main);
    assert.ok(built.ok);
    assert.deepEqual(
      built.value.dependencies.map((path) => basename(path)),
      ["scala3-library_3-3.7.4.jar", "spark-avro_2.13-4.0.1.jar"],
    );
  });

  test("brings own versions of what an image has if Spark is provided", async (t) => {
    const root = projectOf(t, {
      "pom.xml": "",
      [main]: source,
      "target/orders-1.jar": jar("shop/Orders"),
      "target/dependency/jackson-core-2.15.2.jar": jar("a/B"),
    });
    const built = await builtFrom(root, main);
    assert.ok(built.ok);
    assert.deepEqual(
      built.value.dependencies.map((path) => basename(path)),
      ["jackson-core-2.15.2.jar"],
    );
  });

  const classPath = "target/streams/runtime/fullClasspathAsJars/_global/streams/export";
  const thin = {
    "build.sbt": "",
    [main]: source,
    "target/scala-2.13/orders_2.13-1.jar": jar("shop/Orders"),
    "lib/own.jar": jar("a/B"),
  };
  const written = [
    "/w/target/scala-2.13/orders_2.13-1.jar",
    "/c/scala-library-2.13.16.jar",
    "/c/config-1.4.3.jar",
    "/w/common/target/scala-2.13/classes",
    "relative.jar",
  ];

  test("brings the class path that the build tool wrote, without itself and Scala", async (t) => {
    const root = projectOf(t, { ...thin, [classPath]: `${written.join(delimiter)}\n` });
    const built = await builtFrom(root, main);
    assert.ok(built.ok);
    assert.deepEqual(built.value.dependencies, ["/c/config-1.4.3.jar"]);
  });

  test("brings its neighbors if a build file is newer than the class path", async (t) => {
    const root = projectOf(t, { ...thin, [classPath]: written.join(delimiter) });
    utimesSync(join(root, classPath), 1, 1);
    const built = await builtFrom(root, main);
    assert.ok(built.ok);
    assert.deepEqual(built.value.dependencies, [join(root, "lib/own.jar")]);
  });

  test("needs a class path after a build if it is thin and the build tool wrote none", async (t) => {
    const ask = async (
      files: Readonly<Record<string, string | Buffer>>,
      artifact?: string,
    ): Promise<string | undefined> => {
      const root = projectOf(t, files);
      const found = await programs.find(join(root, main), root);
      return found.ok ? programs.classPathCommand(found.value, artifact) : undefined;
    };
    assert.equal(await ask(thin), "sbt Runtime/fullClasspathAsJars");
    assert.equal(await ask({ ...thin, [classPath]: "/c/a.jar" }), undefined);
    assert.equal(await ask(thin, "target/scala-2.13/*.jar"), undefined);
    assert.equal(await ask({ ...thin, "project/a.sbt": '"sbt-assembly"' }), undefined);
    const whole = { "target/scala-2.13/orders-assembly-1.jar": jar("shop/Orders") };
    assert.equal(await ask({ ...thin, ...whole }), undefined);
    assert.equal(await ask({ "build.sbt": "", [main]: source }), undefined);
  });

  test("is that of the artifact glob", async (t) => {
    const root = projectOf(t, {
      "pom.xml": "",
      [main]: source,
      "target/orders-1.jar": jar("shop/Orders"),
      "out/orders-old.jar": jar("shop/Orders"),
      "out/orders-new.jar": jar("shop/Orders"),
    });
    utimesSync(join(root, "out/orders-old.jar"), 1, 1);
    const built = await builtFrom(root, main, "out/*.jar");
    assert.ok(built.ok);
    assert.equal(built.value.jar, join(root, "out/orders-new.jar"));
  });

  test("must have the main class", async (t) => {
    const root = projectOf(t, { "pom.xml": "", [main]: source, "target/a.jar": jar("shop/Other") });
    const built = await builtFrom(root, main);
    assert.ok(!built.ok);
    assert.match(built.error.detail, /a\.jar has no class shop\.Orders/);
  });

  test("is missing before the first build", async (t) => {
    const root = projectOf(t, { "pom.xml": "", [main]: source });
    const built = await builtFrom(root, main);
    assert.ok(!built.ok);
    assert.match(built.error.detail, /no jar matches target\/\*\.jar/);
  });
});
