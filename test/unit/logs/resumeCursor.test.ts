import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import { ResumeCursor } from "../../../src/spark/logs/resumeCursor.ts";
import { compareStamps } from "../../../src/spark/logs/stamps.ts";

const at = (time: string, text: string): LogLine => ({
  timestamp: `2026-01-02T03:04:${time}Z`,
  text,
});

test("before the first line there is nothing to go on from", () => {
  const cursor = new ResumeCursor();
  cursor.beginReplay();
  assert.equal(cursor.sinceTime, undefined);
  assert.equal(cursor.accept([at("05.5", "a")]).lines.length, 1);
});

test("it goes on from the whole second of the newest line, or from the one before where lines may be late", () => {
  const cursor = new ResumeCursor();
  cursor.accept([at("05.500000000", "a")]);
  assert.equal(cursor.sinceTime, "2026-01-02T03:04:05Z");
  cursor.accept([at("06.000000001", "b")]);
  assert.equal(cursor.sinceTime, "2026-01-02T03:04:05Z");
});

test("equal lines of one stamp are counted", () => {
  const cursor = new ResumeCursor();
  const twice = [at("05.5", "same"), at("05.5", "same")];
  cursor.accept(twice);
  cursor.beginReplay();
  assert.deepEqual(cursor.accept([...twice, at("05.5", "same")]).lines, [at("05.5", "same")]);
});

test("a new line of the newest stamp is printed although its neighbours are not there any more", () => {
  const cursor = new ResumeCursor();
  cursor.accept([at("05.5", "thrown away"), at("05.5", "kept")]);
  cursor.beginReplay();
  const lines = [at("05.5", "kept"), at("05.5", "new")];
  assert.deepEqual(cursor.accept(lines), { lines: [at("05.5", "new")], gap: undefined });
});

test("a replay that shows the last line is no gap, one without it is", () => {
  for (const [replay, gap] of [
    [[at("05.5", "a"), at("05.6", "b")], undefined],
    [[at("05.6", "b")], { after: "2026-01-02T03:04:05.5Z", before: "2026-01-02T03:04:05.6Z" }],
  ] as const) {
    const cursor = new ResumeCursor();
    cursor.accept([at("05.5", "a")]);
    cursor.beginReplay();
    assert.deepEqual(cursor.accept(replay), { lines: [at("05.6", "b")], gap });
  }
});

test("a late line after known ones is new, although rotation took the first of them", () => {
  const cursor = new ResumeCursor();
  cursor.accept([at("05.5", "thrown away"), at("05.5", "kept")]);
  cursor.beginReplay();
  const late = at("05.4", "late");
  assert.deepEqual(cursor.accept([at("05.5", "kept"), late, at("05.6", "b")]).lines, [
    late,
    at("05.6", "b"),
  ]);
});

test("long lines that differ in one letter are told apart", () => {
  const cursor = new ResumeCursor();
  const long = "x".repeat(1 << 20);
  cursor.accept([at("05.5", `${long}a`)]);
  cursor.beginReplay();
  const other = at("05.5", `${long}b`);
  assert.deepEqual(cursor.accept([at("05.5", `${long}a`), other]).lines, [other]);
});

test("a line without a stamp is printed, and again only if it may be another", () => {
  const cursor = new ResumeCursor();
  const bare = { timestamp: "", text: "bare" };
  cursor.accept([at("05.5", "a"), bare]);
  cursor.beginReplay();
  assert.deepEqual(cursor.accept([at("05.5", "a"), bare, bare]).lines, [bare]);
});

test("a clock that was set back does not make it keep all lines since", () => {
  const cursor = new ResumeCursor();
  cursor.accept([at("50.5", "before")]);
  for (let count = 0; count < 25; count += 1) {
    cursor.accept(Array.from({ length: 1_000 }, (_, index) => at("10.5", `${count}/${index}`)));
  }
  assert.equal(cursor.sinceTime, "2026-01-02T03:04:10Z");
});

test("stamps are compared as moments, with any number of decimals and any offset", () => {
  const ordered = [
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.1Z",
    "2026-01-02T03:04:05.10000001Z",
    "2026-01-02T04:04:05.100000011+01:00",
    "2026-01-02T03:04:06Z",
  ];
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries()) {
      assert.equal(Math.sign(compareStamps(a, b)), Math.sign(i - j), `${a} ${b}`);
    }
  }
});
