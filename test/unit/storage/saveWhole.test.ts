import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { saveWhole } from "../../../src/storage/saveWhole.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

const never = new AbortController().signal;

async function* piecesOf(...pieces: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    await Promise.resolve();
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

test("a text takes the place of the file that was there", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "orders.log");
  for (const text of ["one\ntwo\n", "three\n"]) {
    await saveWhole(path, piecesOf(text), never);
    assert.equal(readFileSync(path, "utf8"), text);
  }
  assert.deepEqual(readdirSync(folder), ["orders.log"]);
});

test("a text that fails half-way leaves the file that was there, and nothing beside it", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "orders.log");
  writeFileSync(path, "precious");
  await assert.rejects(saveWhole(path, piecesOf("half", new Error("lost")), never), /lost/);
  const canceled = new AbortController();
  canceled.abort();
  await assert.rejects(saveWhole(path, piecesOf("whole"), canceled.signal), { name: "AbortError" });
  assert.equal(readFileSync(path, "utf8"), "precious");
  assert.deepEqual(readdirSync(folder), ["orders.log"]);
});

test("a text that fails half-way leaves no file where none was", async (t) => {
  const folder = temporaryFolder(t);
  await assert.rejects(
    saveWhole(join(folder, "orders.log"), piecesOf("half", new Error("lost")), never),
  );
  assert.deepEqual(readdirSync(folder), []);
});

test("what cannot be written over stays as it is, and nothing beside it", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "orders.log");
  // Whoever runs this, root too, may not put a file in the place of a folder.
  mkdirSync(path);
  writeFileSync(join(path, "inside"), "precious");
  await assert.rejects(saveWhole(path, piecesOf("whole"), never), { code: "EISDIR" });
  assert.equal(readFileSync(join(path, "inside"), "utf8"), "precious");
  assert.deepEqual(readdirSync(folder), ["orders.log"]);
});
