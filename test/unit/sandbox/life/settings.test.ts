import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeSettings, readSettings } from "../../../../src/sandbox/life/settings.ts";
import { pysparkHashes } from "../../../../src/sandbox/node/image/pysparkHashes.ts";

const defaults = {
  ...{ distributions: [], images: {}, simulate: false, javaHome: undefined, python: undefined },
  ...{ cores: undefined, memoryBytes: undefined, downloadFolder: undefined },
};

test("missing and invalid settings have their defaults", () => {
  for (const text of [undefined, "", "{", "[]", "null", "{}"]) {
    assert.deepEqual(readSettings(text), defaults, text);
  }
  const invalid = { distributions: [1, "/a"], images: { a: 1, b: "/b" }, simulate: "true" };
  assert.deepEqual(readSettings(JSON.stringify({ ...invalid, cores: "4", javaHome: 1 })), {
    ...{ ...defaults, distributions: ["/a"], images: { b: "/b" } },
  });
  const valid = {
    ...{ distributions: ["/spark"], images: { "spark:4": "/spark" }, simulate: true, cores: 4 },
    ...{ javaHome: "/java", python: "/python", memoryBytes: 2 ** 30, downloadFolder: "/cache" },
  };
  assert.deepEqual(readSettings(JSON.stringify(valid)), valid);
});

test("downloads Spark only with permission, and names the missing Python", async () => {
  const lines: string[] = [];
  const settingsOf = (downloadFolder?: string) =>
    nodeSettings(
      { ...readSettings("{}"), downloadFolder },
      { PATH: "", JAVA_HOME: "/java" },
      (line) => lines.push(line),
    );
  assert.equal(settingsOf().download, undefined);
  const { signal } = new AbortController();
  assert.deepEqual(await settingsOf("/nowhere").download?.("4.3.0", signal), {
    ok: false,
    error: "downloading Spark requires Python, which was not found",
  });
  assert.deepEqual(lines, []);
});

test("knows a hash of every patch version of each Spark version", () => {
  const patches = new Map<string, number[]>();
  for (const [version, hash] of pysparkHashes) {
    assert.match(hash, /^[\da-f]{64}$/, version);
    const [, minor = "", patch = ""] = /^(\d+\.\d+)\.(\d+)$/.exec(version) ?? [];
    patches.set(minor, [...(patches.get(minor) ?? []), Number(patch)]);
  }
  assert.deepEqual([...patches.keys()], ["3.3", "3.4", "3.5", "4.0", "4.1", "4.2", "4.3"]);
  for (const [minor, found] of patches) {
    assert.deepEqual(
      found,
      found.map((_, index) => index),
      minor,
    );
  }
  assert.equal(new Set(pysparkHashes.values()).size, pysparkHashes.size);
  assert.equal(pysparkHashes.size, 34);
});
