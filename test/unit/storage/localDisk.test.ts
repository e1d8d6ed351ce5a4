import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { localDisk } from "../../../src/storage/localDisk.ts";
import { temporaryFolder } from "./temporaryFolder.ts";
import { zipOf } from "./zipFixture.ts";

test("kind distinguishes files, directories and missing paths, and follows symbolic links", (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "file"), "");
  symlinkSync("file", join(folder, "link"));
  symlinkSync("nothing", join(folder, "dangling"));
  symlinkSync("circle", join(folder, "circle"));
  const rows = [
    ["", "directory"],
    ["file", "file"],
    ["link", "file"],
    ["dangling", undefined],
    ["circle", undefined],
    ["nothing", undefined],
    ["file/below", undefined],
    ["n".repeat(5000), undefined],
    ["nul\0", undefined],
  ] as const;
  for (const [name, kind] of rows) {
    assert.equal(localDisk.kind(join(folder, name)), kind, name.slice(0, 20));
  }
  assert.equal(localDisk.kind("/dev/null"), undefined);
});

test("text returns the byte length and whether the file is UTF-8", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "file");
  writeFileSync(path, "größe");
  assert.deepEqual(localDisk.text(path), { text: "größe", isUtf8: true, byteLength: 7 });
  assert.equal(localDisk.base64(path), "Z3LDtsOfZQ==");
  writeFileSync(path, Buffer.from([0x61, 0xff]));
  assert.deepEqual(localDisk.text(path), { text: "a\ufffd", isUtf8: false, byteLength: 2 });
  for (const missing of [folder, join(folder, "nothing")]) {
    assert.equal(localDisk.text(missing), undefined);
    assert.equal(localDisk.base64(missing), undefined);
  }
});

test("names returns sorted names for a directory and none for other paths", (t) => {
  const folder = temporaryFolder(t);
  for (const name of ["b", "a", "B"]) writeFileSync(join(folder, name), "");
  assert.deepEqual(localDisk.names(folder), ["B", "a", "b"]);
  assert.deepEqual(localDisk.names(join(folder, "a")), []);
  assert.deepEqual(localDisk.names(join(folder, "nothing")), []);
});

test("canonical resolves symbolic links in the existing part of a path", (t) => {
  const folder = realpathSync(temporaryFolder(t));
  mkdirSync(join(folder, "real/deep"), { recursive: true });
  symlinkSync("real", join(folder, "link"));
  symlinkSync("nothing", join(folder, "dangling"));
  const rows = [
    ["link/deep", "real/deep"],
    ["link/missing/below", "real/missing/below"],
    ["link/./deep/../x", "real/x"],
    ["dangling", "dangling"],
    ["dangling/below", "dangling/below"],
  ] as const;
  for (const [path, expected] of rows) {
    assert.equal(localDisk.canonical(join(folder, path)), join(folder, expected), path);
  }
  assert.equal(localDisk.canonical("/"), "/");
  assert.equal(localDisk.canonical("/no-such-thing/x"), "/no-such-thing/x");
});

test("zipText reads a jar entry and is undefined for other paths", (t) => {
  const folder = temporaryFolder(t);
  const jar = join(folder, "app.jar");
  writeFileSync(jar, zipOf([{ name: "META-INF/MANIFEST.MF", text: "Main-Class: é\n" }]));
  assert.equal(localDisk.zipText(jar, "META-INF/MANIFEST.MF"), "Main-Class: é\n");
  assert.equal(localDisk.zipText(jar, "other"), undefined);
  assert.equal(localDisk.zipText(folder, "other"), undefined);
  assert.equal(localDisk.zipText(join(folder, "nothing"), "other"), undefined);
});
