import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WorkSlices } from "../../../src/storage/code/slices.ts";
import { readZipEntry } from "../../../src/storage/zipEntry.ts";
import { writeZip } from "../../../src/storage/zipWriter.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

const members = [
  { name: "shop/", bytes: Buffer.alloc(0) },
  { name: "shop/tax.py", bytes: Buffer.from("rate = 1\n".repeat(200)) },
  { name: "größe.txt", bytes: Buffer.from("x") },
  ...Array.from({ length: 20 }, (_, index) => ({
    name: `shop/m${index}.py`,
    bytes: Buffer.from(`n = ${index}\n`),
  })),
];
const slices = (): WorkSlices => new WorkSlices();

test("a written zip file has all members, and gives the same bytes again", async (t) => {
  const bytes = await writeZip(members, slices());
  const path = join(temporaryFolder(t), "modules.zip");
  writeFileSync(path, bytes);
  for (const member of members.slice(1)) {
    assert.deepEqual(readZipEntry(path, member.name), member.bytes, member.name);
  }
  assert.deepEqual(await writeZip(members, slices()), bytes);
});

test("the end record of a zip file locates its directory", async () => {
  const bytes = await writeZip(members, slices());
  const end = bytes.length - 22;
  assert.equal(bytes.readUInt32LE(end), 0x06054b50);
  assert.equal(bytes.readUInt16LE(end + 8), members.length);
  assert.equal(bytes.readUInt16LE(end + 10), members.length);
  const [size, directory] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  assert.equal(directory + size, end);
  assert.equal(bytes.readUInt32LE(directory), 0x02014b50);
});
