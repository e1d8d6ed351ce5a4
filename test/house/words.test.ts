// Checks that no file contains a path of one machine or an address of a package registry.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listFiles, readSources, readText } from "./sources.ts";

const paths = /(?:^|[^A-Za-z0-9_.])\/(?:work|farm)\//;
const registries = /https?:\/\/[^ ")]*(?:\/-\/[^ ")]*[.]tgz|\/@v\/|\/simple\/|\/maven2\/)/;
/** Paths outside the project. Only the CI configuration, which is not checked, may contain them. */
const neighbor = /\.\.\/shared\b/;
const texts = /\.(?:ts|js|mjs|cjs|json|md|xml|ya?ml|sh|conf|snapshot|py)$/;

test("no file names a path of one machine or the address of a registry", async () => {
  const wrong: string[] = [];
  for (const path of await listFiles(".")) {
    if (!texts.test(path)) continue;
    const lines = (await readText(path)).split("\n");
    for (const [index, line] of lines.entries()) {
      if (paths.test(line) || registries.test(line) || neighbor.test(line))
        wrong.push(`${path}:${index + 1}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("finds planted marks at their positions", () => {
  const root = ["", "work", "x"].join("/");
  assert.match(`see ${root}`, paths);
  assert.doesNotMatch("opt/spark/work-dir/ and a/work/ and .work/", paths);
  assert.match(`"${["https://host", "a", "-", "a-1.0.0.tgz"].join("/")}"`, registries);
});

test("no lock file contains a download address", async () => {
  const locks = await readSources(".", "package-lock.json");
  assert.equal(locks.length, 4);
  for (const { path, text } of locks) assert.doesNotMatch(text, /"resolved": "https?:/, path);
});
