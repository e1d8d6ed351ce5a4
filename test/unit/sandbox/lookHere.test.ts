import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { findSpark } from "../../../src/sandbox/life/findSpark.ts";
import type { MachinePrograms } from "../../../src/sandbox/node/image/machine.ts";

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "spark-k8s-here-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function putSpark(home: string, version: string): Promise<string> {
  await mkdir(join(home, "jars"), { recursive: true });
  await writeFile(join(home, "jars", `spark-core_2.13-${version}.jar`), "");
  return home;
}

/** Creates a Java folder of this version, and a program that replaces Python. `python`: minor version, Spark folder. */
async function machine(folder: string, java: string, python: string): Promise<MachinePrograms> {
  const javaHome = join(folder, "java");
  await mkdir(javaHome);
  await writeFile(join(javaHome, "release"), `JAVA_VERSION="${java}"\n`);
  const program = join(folder, "python");
  const [minor, spark] = python.split(" ");
  const text = `case "$3" in *version_info*) echo ${minor} ;; *) echo ${spark ?? ""} ;; esac`;
  await writeFile(program, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return { javaHome, python: program };
}

test("prefers Spark from SPARK_HOME to pyspark, and pyspark to downloads", async (t) => {
  const folder = await folderFor(t);
  const named = await putSpark(join(folder, "named"), "3.5.9");
  const own = await putSpark(join(folder, "own"), "4.1.0");
  const downloads = join(folder, "downloads");
  for (const version of ["4.2.0", "4.3.0"])
    await putSpark(join(downloads, `pyspark-${version}`, "pyspark"), version);
  await mkdir(join(downloads, "pyspark-4.0.0.unfinished-12"));
  const here = await findSpark(
    { SPARK_HOME: named },
    downloads,
    await machine(folder, "17.0.15", `11 ${own}`),
  );
  assert.deepEqual(here.sparkVersions, ["3.5.9", "4.1.0", "4.3.0", "4.2.0"]);
  assert.equal(here.home, named);
  assert.equal(here.settings.simulate, false);
});

test("ignores folders without Spark", async (t) => {
  const folder = await folderFor(t);
  const here = await findSpark({ SPARK_HOME: folder }, folder, await machine(folder, "21", "12"));
  assert.deepEqual([here.sparkVersions, here.home], [[], undefined]);
});

for (const [java, python, suits] of [
  ["17.0.15", "11", "4.3.0"],
  ["21", "10", "4.3.0"],
  ["11.0.2", "11", "3.5.9"],
  ["1.8.0_402", "11", "3.5.9"],
  ["17.0.15", "9", "3.5.9"],
] as const) {
  test(`Java ${java} and Python 3.${python} run Spark ${suits}`, async (t) => {
    const folder = await folderFor(t);
    assert.equal((await findSpark({}, folder, await machine(folder, java, python))).suits, suits);
  });
}

test("only simulates, and offers no download, when Java is missing", async (t) => {
  const folder = await folderFor(t);
  const { python } = await machine(folder, "17", "11");
  const here = await findSpark({}, folder, { javaHome: undefined, python });
  assert.equal(here.settings.simulate, true);
  assert.equal(here.suits, undefined);
});
