import assert from "node:assert/strict";
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { LogLine } from "../../../../src/spark/logs/logLine.ts";
import { LogFile } from "../../../../src/storage/logs/logFile.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const line = (second: number, text = "x"): LogLine => ({
  timestamp: `2026-01-02T03:04:0${second}.000000001Z`,
  text,
});
/** Returns a line of 2^18 characters, which fills one piece of the log. */
const large = (second: number): LogLine => line(second, "y".repeat(1 << 18));
const pieceMs = 1_000_000;

function logIn(t: TestContext) {
  const path = join(temporaryFolder(t), "main");
  return { path, log: new LogFile(path, () => pieceMs) };
}
const sizeOf = (path: string): number => statSync(path).size;

describe("a log on disk", () => {
  test("without lines has no summary", async (t) => {
    const { log } = logIn(t);
    await log.begin();
    assert.equal(await log.summary(), undefined);
    assert.deepEqual(await log.newest(), []);
  });

  test("was last written when its last piece was packed, or its tail was written", async (t) => {
    const { path, log } = logIn(t);
    await log.begin();
    await log.append([large(1)]);
    const packed = await log.summary();
    assert.equal(packed?.at, pieceMs);
    assert.equal(packed.bytes, sizeOf(`${path}.1.gz`) + sizeOf(`${path}.index`));
    assert.deepEqual(packed.slices, [{ through: "end", bytes: packed.bytes, at: pieceMs }]);
    await log.append([line(2)]);
    utimesSync(`${path}.2.tail`, 5_000, 5_000);
    const more = await log.summary();
    assert.equal(more?.at, 5_000_000);
    assert.equal(more.bytes, packed.bytes + sizeOf(`${path}.2.tail`));
    assert.deepEqual(
      more.slices.map(({ through, at }) => [through, at]),
      [
        [1, pieceMs],
        ["end", 5_000_000],
      ],
    );
  });

  test("has the first and last timestamps of all its parts, and counts its lines", async (t) => {
    const { log } = logIn(t);
    await log.begin();
    await log.append([{ timestamp: "", text: "no time" }, large(1)]);
    await log.append([line(2), { timestamp: "", text: "no time" }]);
    const summary = await log.summary();
    assert.equal(summary?.lines, 4);
    assert.equal(summary.first, line(1).timestamp);
    assert.equal(summary.last, line(2).timestamp);
    assert.equal(summary.isCutOff, false);
  });

  test("is cut off after a piece was dropped, and keeps its numbers", async (t) => {
    const { path, log } = logIn(t);
    await log.begin();
    for (const second of [1, 2, 3]) await log.append([large(second)]);
    const [first] = (await log.summary())?.slices ?? [];
    assert.ok(first);
    await log.drop(first);
    await log.drop(first);
    const summary = await log.summary();
    assert.deepEqual([summary?.isCutOff, summary?.lines], [true, 2]);
    assert.equal(summary?.first, line(2).timestamp);
    await log.begin();
    await log.append([line(4)]);
    assert.ok(sizeOf(`${path}.4.tail`) > 0);
    await log.drop({ through: "end", bytes: 0, at: 0 });
    assert.equal(await log.summary(), undefined);
  });

  test("gives its newest lines: those of the last piece and of the tail", async (t) => {
    const { log } = logIn(t);
    await log.begin();
    await log.append([large(1)]);
    await log.append([line(2), large(3)]);
    await log.append([line(4)]);
    assert.deepEqual(
      (await log.newest()).map(({ timestamp }) => timestamp),
      [2, 3, 4].map((second) => line(second).timestamp),
    );
  });

  test("ignores records of its index that are no pieces", async (t) => {
    const { path, log } = logIn(t);
    await log.begin();
    await log.append([large(1)]);
    const piece = { number: 2, bytes: 1, lines: 1, first: "", last: "", at: 1 };
    const records = [
      "no JSON",
      "7",
      "null",
      ...Object.keys(piece).map((field) => JSON.stringify({ ...piece, [field]: null })),
    ];
    writeFileSync(`${path}.index`, records.map((record) => `${record}\n`).join(""), { flag: "a" });
    assert.equal((await log.summary())?.lines, 1);
  });
});
