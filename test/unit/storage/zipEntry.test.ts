import assert from "node:assert/strict";
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { readZipEntry } from "../../../src/storage/zipEntry.ts";
import { temporaryFolder } from "./temporaryFolder.ts";
import { endOf, zipOf, type ZipShape } from "./zipFixture.ts";

const manifestName = "META-INF/MANIFEST.MF";
const manifest = "Manifest-Version: 1.0\r\nMain-Class: org.example.Main\r\n";
const sources = [
  { name: "org/example/Main.class", text: "x".repeat(5000) },
  { name: manifestName, text: manifest },
  { name: "stored.txt", text: "as it is", method: "stored" },
] as const;

const mebibyte = 1024 * 1024;

function reading(t: TestContext, bytes: Buffer): (name?: string) => string | undefined {
  const path = join(temporaryFolder(t), "app.jar");
  writeFileSync(path, bytes);
  return (name = manifestName) => readZipEntry(path, name)?.toString();
}

test("reads an entry from jars with a prefix, a comment or ZIP64 records", (t) => {
  const shapes: Readonly<Record<string, ZipShape>> = {
    plain: {},
    commented: { comment: "made by a test, with PK\u0005\u0006 in the middle of its comment" },
    "self-starting": { prefix: Buffer.from("#!/bin/sh\nexec java -jar $0\n") },
    large: { isLarge: true },
    "large and self-starting": { isLarge: true, comment: "c" },
    "longest comment": { comment: "c".repeat(0xffff) },
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const read = reading(t, zipOf(sources, shape));
    assert.equal(read(), manifest, name);
    assert.equal(read("stored.txt"), "as it is", name);
    assert.equal(read("META-INF"), undefined, name);
  }
});

test("reads the last entry of a jar with more than 65,535 entries", (t) => {
  const many = Array.from({ length: 66_000 }, (_, index) => ({
    name: `c/${index}.class`,
    text: "",
    method: "stored" as const,
  }));
  const read = reading(t, zipOf([...many, ...sources], { isLarge: true }));
  assert.equal(read(), manifest);
});

test("returns undefined for a file that is not a zip file", (t) => {
  for (const bytes of [Buffer.alloc(0), Buffer.from("PK\u0005\u0006"), Buffer.alloc(70_000, "x")]) {
    assert.equal(reading(t, bytes)(), undefined);
  }
});

test("returns undefined for a jar truncated at any length", (t) => {
  const whole = zipOf(sources);
  for (let length = 0; length < whole.length; length += 7) {
    assert.equal(reading(t, whole.subarray(0, length))(), undefined, String(length));
  }
});

test("returns undefined when the directory or the entry is invalid", (t) => {
  const whole = zipOf(sources);
  const end = whole.length - 22;
  const directory = whole.readUInt32LE(end + 16);
  const second = whole.indexOf(manifestName, directory) - 46;
  const damages: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
    "directory longer than the file": (bytes) => bytes.writeUInt32LE(0x7fffffff, end + 12),
    "directory longer than 32 bits say": (bytes) => bytes.writeUInt32LE(0xffffffff, end + 12),
    "entry behind the end": (bytes) => bytes.writeUInt32LE(0x7ffffff0, second + 42),
    "entry that is longer than the file": (bytes) => bytes.writeUInt32LE(0x7fffffff, second + 20),
    "entry with a 64-bit place and no field for it": (bytes) =>
      bytes.writeUInt32LE(0xffffffff, second + 42),
    "entry where none is": (bytes) => bytes.writeUInt32LE(3, second + 42),
    "packed by an unknown method": (bytes) => bytes.writeUInt16LE(12, second + 10),
    encrypted: (bytes) => bytes.writeUInt16LE(1, second + 8),
    "another size than it says": (bytes) => bytes.writeUInt32LE(3, second + 24),
    "noise instead of packed bytes": (bytes) =>
      bytes.fill(0xff, bytes.indexOf(manifestName) + manifestName.length, directory),
  };
  for (const [name, damage] of Object.entries(damages)) {
    const bytes = Buffer.from(whole);
    damage(bytes);
    assert.equal(reading(t, bytes)(), undefined, name);
  }
});

test("returns undefined for 64-bit offsets outside the file or beyond safe integers", (t) => {
  const whole = zipOf(sources, { isLarge: true });
  const locator = whole.length - 22 - 20;
  const end64 = locator - 56;
  for (const at of [locator + 8, end64 + 40, end64 + 48]) {
    for (const value of [2n ** 64n - 1n, 2n ** 40n, 2n ** 53n + 1n]) {
      const bytes = Buffer.from(whole);
      bytes.writeBigUInt64LE(value, at);
      assert.equal(reading(t, bytes)(), undefined, `${at - end64} ${value}`);
    }
  }
});

test("returns undefined when a jar needs more than 64 MiB", (t) => {
  const path = join(temporaryFolder(t), "huge.jar");
  const directory = zipOf(sources).subarray(zipOf(sources).readUInt32LE(zipOf(sources).length - 6));
  const write = (directoryBytes: number): void => {
    const file = openSync(path, "w");
    ftruncateSync(file, 200 * mebibyte);
    const at = 200 * mebibyte - directoryBytes;
    writeSync(file, zipOf(sources), 0, undefined, 0);
    writeSync(file, directory, 0, directory.length - 22, at);
    writeSync(file, endOf(3, directoryBytes, at), 0, undefined, 200 * mebibyte);
    closeSync(file);
  };
  write(60 * mebibyte);
  assert.equal(readZipEntry(path, manifestName)?.toString(), manifest);
  write(65 * mebibyte);
  assert.equal(readZipEntry(path, manifestName), undefined);

  const bomb = [{ name: manifestName, text: "0".repeat(65 * mebibyte) }];
  assert.equal(reading(t, zipOf(bomb))(), undefined);
});

test("does not throw for any damaged jar", (t) => {
  const path = join(temporaryFolder(t), "app.jar");
  const jars = [zipOf(sources), zipOf(sources, { isLarge: true, comment: "c" })];
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 });
  fc.assert(
    fc.property(fc.constantFrom(...jars), damage, (jar, changes) => {
      const bytes = Buffer.from(jar);
      // Change only the last 400 bytes, which contain most of the metadata.
      for (const [at, value] of changes) bytes[bytes.length - 1 - (at % 400)] = value;
      writeFileSync(path, bytes);
      const found = readZipEntry(path, manifestName);
      assert.ok(found === undefined || found.length <= 64 * mebibyte);
    }),
    { numRuns: 500 },
  );
});
