import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeFileAtomically } from "../../../src/io/replaceFile.ts";
import { temporaryFolder } from "../storage/temporaryFolder.ts";

const never = new AbortController().signal;

async function* piecesOf(...pieces: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    await Promise.resolve();
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

test("replaces an existing file with the new text", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "orders.log");
  for (const text of ["one\ntwo\n", "three\n"]) {
    await writeFileAtomically(path, piecesOf(text), never);
    assert.equal(readFileSync(path, "utf8"), text);
  }
  assert.deepEqual(readdirSync(folder), ["orders.log"]);
});

test("keeps the existing file and no temporary file when the text fails halfway", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "orders.log");
  writeFileSync(path, "precious");
  await assert.rejects(
    writeFileAtomically(path, piecesOf("half", new Error("lost")), never),
    /lost/,
  );
  const canceled = new AbortController();
  canceled.abort();
  await assert.rejects(writeFileAtomically(path, piecesOf("whole"), canceled.signal), {
    name: "AbortError",
  });
  assert.equal(readFileSync(path, "utf8"), "precious");
  assert.deepEqual(readdirSync(folder), ["orders.log"]);
});

test("leaves no file when the text fails halfway and no file existed", async (t) => {
  const folder = temporaryFolder(t);
  await assert.rejects(
    writeFileAtomically(join(folder, "orders.log"), piecesOf("half", new Error("lost")), never),
  );
  assert.deepEqual(readdirSync(folder), []);
});

test("keeps an unwritable target and no temporary file when the rename fails", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "orders.log");
  // rename() cannot replace a folder with a file, not even as root.
  mkdirSync(path);
  writeFileSync(join(path, "inside"), "precious");
  await assert.rejects(writeFileAtomically(path, piecesOf("whole"), never), { code: "EISDIR" });
  assert.equal(readFileSync(join(path, "inside"), "utf8"), "precious");
  assert.deepEqual(readdirSync(folder), ["orders.log"]);
});
