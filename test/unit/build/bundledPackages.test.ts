import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Metafile } from "esbuild";
import { bundledPackages } from "../../../src/build/package/bundledPackages.ts";

const metafileOf = (inputs: Readonly<Record<string, number>>): Metafile => ({
  inputs: {},
  outputs: {
    "dist/a.cjs": {
      bytes: 1,
      imports: [],
      exports: [],
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
      ),
    },
  },
});

function projectWith(t: TestContext, files: Readonly<Record<string, unknown>>): string {
  const root = mkdtempSync(join(tmpdir(), "bundled-"));
  t.after(() => {
    rmSync(root, { recursive: true });
  });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(root, path), text);
  }
  return root;
}

const manifest = { name: "@a/b", version: "1.0.0", license: "MIT" };
const lock = {
  packages: { "node_modules/@a/b": { version: "1.0.0", integrity: "sha512-QQ==" } },
};

test("only packages of which bytes are in the output are listed, each once", (t) => {
  const root = projectWith(t, {
    "package-lock.json": lock,
    "node_modules/@a/b/package.json": manifest,
    "node_modules/@a/b/LICENSE.md": "The license",
    "node_modules/@a/b/NOTICE": "The notice",
  });
  const inputs = {
    "src/own.ts": 5,
    "node_modules/@a/b/lib/one.js": 5,
    "node_modules/@a/b/lib/two.js": 5,
    "node_modules/unused/index.js": 0,
  };
  const texts = ["The license", "The notice"];
  assert.deepEqual(bundledPackages(root, [metafileOf(inputs), metafileOf(inputs)]), [
    { ...manifest, integrity: "sha512-QQ==", texts },
  ]);
});

test("a bundled package without a license text fails", (t) => {
  const root = projectWith(t, {
    "package-lock.json": lock,
    "node_modules/@a/b/package.json": manifest,
    "node_modules/@a/b/LICENSE": " \n",
  });
  const metafile = metafileOf({ "node_modules/@a/b/index.js": 1 });
  assert.throws(() => bundledPackages(root, [metafile]), /"@a\/b" is bundled and has no license/);
});

test("a bundled package of another version than the lock file's fails", (t) => {
  const root = projectWith(t, {
    "package-lock.json": { packages: { "node_modules/@a/b": { version: "2.0.0" } } },
    "node_modules/@a/b/package.json": manifest,
    "node_modules/@a/b/LICENSE": "The license",
  });
  const metafile = metafileOf({ "node_modules/@a/b/index.js": 1 });
  assert.throws(() => bundledPackages(root, [metafile]), /another version of "@a\/b" than 1.0.0/);
});
