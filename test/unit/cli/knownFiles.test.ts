import assert from "node:assert/strict";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { knownFiles } from "../../../src/cli/knownFiles.ts";
import { mcpOptions } from "../../../src/cli/mcpOptions.ts";
import { WrongUse } from "../../../src/cli/wrongUse.ts";
import { temporaryFolder } from "../storage/temporaryFolder.ts";

/** Creates a folder with these files. The search starts in its subfolder `project`. */
function project(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(t);
  for (const [name, text] of Object.entries({ "project/x": "", ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const known = knownFiles(join(folder, "project"));
  return {
    at: (name: string) => join(folder, name),
    versionFor: (name: string) => known.versionFor(name === "-" ? "-" : join(folder, name)),
    namedIn: (text: string, name: string) =>
      Object.fromEntries(
        known.namedIn(text, "properties", name === "-" ? "-" : join(folder, name)),
      ),
  };
}

const needs = (version: string): string => `pyspark==${version}\n`;

describe("the Spark version of a file", () => {
  test("is that of the nearest build file in its folder or above", (t) => {
    const { versionFor } = project(t, {
      "requirements.txt": needs("3.3.0"),
      "project/requirements.txt": needs("3.5.1"),
      "project/a/requirements.txt": needs("4.0.0"),
      "project/a/b/requirements.txt": "numpy\n",
      "other/requirements.txt": needs("3.4.0"),
      "other/deep/x": "",
    });
    assert.equal(versionFor("project/spark.conf"), "3.5");
    assert.equal(versionFor("project/c/spark.conf"), "3.5");
    assert.equal(versionFor("project/a/spark.conf"), "4.0");
    assert.equal(versionFor("project/a/b/spark.conf"), "4.0");
    assert.equal(versionFor("-"), "3.5");
    assert.equal(versionFor("other/spark.conf"), "3.4");
    assert.equal(versionFor("other/deep/spark.conf"), undefined);
  });

  test("is unknown without a build file, and not that of a folder above the root", (t) => {
    const { versionFor } = project(t, { "requirements.txt": needs("3.3.0") });
    assert.equal(versionFor("project/spark.conf"), undefined);
  });

  test("is read from the most reliable build file that names one", (t) => {
    const { versionFor } = project(t, {
      "project/pyproject.toml": "[project]\n",
      "project/requirements.txt": needs("3.5.1"),
      "project/build.sbt": '"org.apache.spark" %% "spark-sql" % "4.0.0"\n',
    });
    assert.equal(versionFor("project/spark.conf"), "3.5");
  });
});

describe("the files that settings name", () => {
  const template = "spark.kubernetes.executor.podTemplateFile ";

  test("are looked for in the root, and then in the file's folder", (t) => {
    const { namedIn } = project(t, { "project/pod.yaml": "root", "project/a/pod.yaml": "own" });
    assert.deepEqual(namedIn(`${template}pod.yaml`, "project/a/b.conf"), { "pod.yaml": "root" });
    assert.deepEqual(namedIn(`${template}a/pod.yaml`, "-"), { "a/pod.yaml": "own" });
    const own = project(t, { "project/a/pod.yaml": "own" });
    assert.deepEqual(own.namedIn(`${template}pod.yaml`, "project/a/b.conf"), { "pod.yaml": "own" });
    assert.deepEqual(own.namedIn(`${template}pod.yaml`, "-"), {});
  });

  test("are no files of another folder, also one with a longer name, and no URIs", (t) => {
    const { namedIn, at } = project(t, { "pod.yaml": "", "out/x": "", "outer/pod.yaml": "" });
    for (const path of ["../pod.yaml", "../outer/pod.yaml", at("pod.yaml"), "file:///pod.yaml"]) {
      assert.deepEqual(namedIn(template + path, "project/a.conf"), {}, path);
      assert.deepEqual(namedIn(template + path, "out/a.conf"), {}, path);
    }
  });

  test("are regular files of at most 4 MB", (t) => {
    const { namedIn, at } = project(t, { "project/pod.yaml": "", "project/dir/x": "" });
    const read = (path: string): number => Object.keys(namedIn(template + path, "-")).length;
    truncateSync(at("project/pod.yaml"), 4_000_000);
    assert.equal(read("pod.yaml"), 1);
    truncateSync(at("project/pod.yaml"), 4_000_001);
    assert.equal(read("pod.yaml"), 0);
    assert.equal(read("dir"), 0);
  });
});

describe("the options of the server for assistants", () => {
  test("have defaults", () => {
    assert.deepEqual(mcpOptions([]), {
      ...{ kubeconfigFiles: [], context: undefined, namespaces: [], allowsChanges: false },
      ...{ guarded: ["prod"], readOnly: [] },
    });
  });

  test("may be given more than once", () => {
    const words =
      "--kubeconfig a --kubeconfig b --context c --namespace d --namespace * --allow-changes --guarded e --read-only f";
    assert.deepEqual(mcpOptions(words.split(" ")), {
      ...{ kubeconfigFiles: ["a", "b"], context: "c", namespaces: ["d", "*"] },
      ...{ allowsChanges: true, guarded: ["e"], readOnly: ["f"] },
    });
  });

  test("are none for the help, and refused if they are unknown", () => {
    for (const word of ["--help", "-h"]) assert.equal(mcpOptions([word]), undefined);
    for (const words of [["--nothing"], ["word"], ["--context"]]) {
      assert.throws(() => mcpOptions(words), WrongUse);
    }
  });
});
