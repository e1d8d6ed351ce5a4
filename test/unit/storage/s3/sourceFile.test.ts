import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { SourceFile } from "../../../../src/storage/s3/sourceFile.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const never = new AbortController().signal;
const mebibyte = 1 << 20;
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function sourceOf(t: TestContext, bytes: Buffer) {
  const path = join(temporaryFolder(t), "app.jar");
  writeFileSync(path, bytes);
  const file = await SourceFile.open(path);
  t.after(() => file.close());
  return { path, file };
}

describe("a file to send", () => {
  test("has the hash of its content, and reports its progress", async (t) => {
    for (const size of [0, 1, mebibyte, 2 * mebibyte + 7]) {
      const bytes = randomBytes(size);
      const { file } = await sourceOf(t, bytes);
      const reported: number[] = [];
      const hash = await file.hash((sent) => reported.push(sent), never);
      assert.equal(hash, sha256(bytes));
      assert.deepEqual(
        reported,
        [mebibyte, 2 * mebibyte, size]
          .slice(0, Math.ceil(size / mebibyte))
          .map((sent) => Math.min(sent, size)),
      );
    }
  });

  test("stops hashing when it is canceled", async (t) => {
    const { file } = await sourceOf(t, randomBytes(2 * mebibyte));
    const controller = new AbortController();
    const hash = file.hash(() => {
      controller.abort();
    }, controller.signal);
    await assert.rejects(hash, { name: "AbortError" });
  });

  test("gives its parts in order, also to concurrent callers", async (t) => {
    const bytes = randomBytes(25);
    const { file } = await sourceOf(t, bytes);
    const reader = file.parts(10);
    const parts = await Promise.all([1, 2, 3, 4].map(() => reader.take(Buffer.alloc(10))));
    assert.deepEqual(
      parts.map((part) => part && [part.number, part.bytes]),
      [[1, bytes.subarray(0, 10)], [2, bytes.subarray(10, 20)], [3, bytes.subarray(20)], undefined],
    );
    assert.equal(reader.digest(), sha256(bytes));
  });

  test("keeps the size that it had when it was opened", async (t) => {
    const bytes = randomBytes(15);
    const { path, file } = await sourceOf(t, bytes);
    assert.equal(await file.hasOtherSize(), false);
    appendFileSync(path, "more");
    assert.equal(await file.hasOtherSize(), true);
    assert.equal(await file.hash(() => undefined, never), sha256(bytes));
  });
});
