import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import { ResumeCursor } from "../../../src/spark/logs/resumeCursor.ts";
import { compareStamps } from "../../../src/spark/logs/stamps.ts";

const at = (time: string, text: string): LogLine => ({
  timestamp: `2026-01-02T03:04:${time}Z`,
  text,
});

test("has no sinceTime before the first line", () => {
  const cursor = new ResumeCursor();
  cursor.beginReplay();
  assert.equal(cursor.sinceTime, undefined);
  assert.equal(cursor.accept([at("05.5", "a")]).lines.length, 1);
});

test("resumes from the second of the newest line, or one second earlier for late lines", () => {
  const cursor = new ResumeCursor();
  cursor.accept([at("05.500000000", "a")]);
  assert.equal(cursor.sinceTime, "2026-01-02T03:04:05Z");
  cursor.accept([at("06.000000001", "b")]);
  assert.equal(cursor.sinceTime, "2026-01-02T03:04:05Z");
});

test("counts equal lines with the same timestamp", () => {
  const cursor = new ResumeCursor();
  const twice = [at("05.5", "same"), at("05.5", "same")];
  cursor.accept(twice);
  cursor.beginReplay();
  assert.deepEqual(cursor.accept([...twice, at("05.5", "same")]).lines, [at("05.5", "same")]);
});

test("accepts a new line with the newest timestamp although its neighbor was rotated away", () => {
  const cursor = new ResumeCursor();
  cursor.accept([at("05.5", "thrown away"), at("05.5", "kept")]);
  cursor.beginReplay();
  const lines = [at("05.5", "kept"), at("05.5", "new")];
  assert.deepEqual(cursor.accept(lines), { lines: [at("05.5", "new")], gap: undefined });
});

test("a replay with the last line has no gap, and one without it has a gap", () => {
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

test("accepts a late line after known lines although rotation dropped the first of them", () => {
  const cursor = new ResumeCursor();
  cursor.accept([at("05.5", "thrown away"), at("05.5", "kept")]);
  cursor.beginReplay();
  const late = at("05.4", "late");
  assert.deepEqual(cursor.accept([at("05.5", "kept"), late, at("05.6", "b")]).lines, [
    late,
    at("05.6", "b"),
  ]);
});

test("distinguishes long lines that differ in one character", () => {
  const cursor = new ResumeCursor();
  const long = "x".repeat(1 << 20);
  cursor.accept([at("05.5", `${long}a`)]);
  cursor.beginReplay();
  const other = at("05.5", `${long}b`);
  assert.deepEqual(cursor.accept([at("05.5", `${long}a`), other]).lines, [other]);
});

test("accepts a line without a timestamp, and repeats it only if it may be another", () => {
  const cursor = new ResumeCursor();
  const bare = { timestamp: "", text: "bare" };
  cursor.accept([at("05.5", "a"), bare]);
  cursor.beginReplay();
  assert.deepEqual(cursor.accept([at("05.5", "a"), bare, bare]).lines, [bare]);
});

test("does not keep all lines after the clock was set back", () => {
  const cursor = new ResumeCursor();
  cursor.accept([at("50.5", "before")]);
  for (let count = 0; count < 25; count += 1) {
    cursor.accept(Array.from({ length: 1_000 }, (_, index) => at("10.5", `${count}/${index}`)));
  }
  assert.equal(cursor.sinceTime, "2026-01-02T03:04:10Z");
});

test("compares timestamps as instants, with any number of decimals and any offset", () => {
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
